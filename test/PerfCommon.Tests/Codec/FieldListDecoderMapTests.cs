using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Maps of field lists, decoded field by field.</summary>
public class FieldListDecoderMapTests
{
    private const int HeaderBytes = 10; // of the message before its payload

    private static readonly FieldListTemplate Quote = new FieldListBuilder(FieldDictionary.Default).Add("BID", 104.25m).Add("BIDSIZE",
        300).Build();

    private static readonly FieldMapTemplate Book = new([
        new(MapAction.Add, [1], Quote), new(MapAction.Delete, [2], null), new(MapAction.Update, [3], Quote)]);

    private readonly FieldListDecoder _decoder = new(FieldDictionary.Default.Types, StampFields.First, StampFields.Count);

    [Fact]
    public void DecodeMap_Stamped_UsesEveryFieldAndKeepsTheStamp()
    {
        Assert.Equal(DecodeResult.Success, Decode(Encode(12_345)));
        ulong ofMap = _decoder.Checksum;
        Assert.Equal(12_345u, _decoder.Kept(StampFields.UpdateIndex));

        // the same lists one by one
        FieldListDecoder single = new(FieldDictionary.Default.Types, StampFields.First, StampFields.Count);
        byte[] stamp = new byte[20], list = new byte[100];
        RwfWriter writer = new(stamp);
        writer.BeginFieldList();
        writer.WriteUIntField(StampFields.Update, 12_345);
        writer.EndFieldList();
        single.Decode(stamp.AsSpan(0, writer.Written), 0);
        int length = Quote.EncodeList(list, 0, 0);
        single.Decode(list.AsSpan(0, length), 0);
        single.Decode(list.AsSpan(0, length), 0);
        Assert.Equal(single.Checksum, ofMap);
    }

    [Fact]
    public void DecodeMap_WithoutStamp_ForgetsTheLast()
    {
        Decode(Encode(12_345));
        Assert.Equal(DecodeResult.Success, Decode(Encode(0)));
        Assert.Equal(0u, _decoder.Kept(StampFields.UpdateIndex));
    }

    [Fact]
    public void DecodeMap_CutAnywhere_IsNoSuccess()
    {
        byte[] whole = Encode(1);
        for (int length = HeaderBytes + 1; length < whole.Length; length++)
            Assert.NotEqual(DecodeResult.Success, Decode(whole[..length]));
    }

    [Fact]
    public void DecodeMap_DamagedAnywhere_NeverThrows()
    {
        Random random = new(1);
        byte[] whole = Encode(1);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] damaged = [.. whole];
            for (int hits = random.Next(1, 4); hits > 0; hits--)
                damaged[random.Next(HeaderBytes, damaged.Length)] = (byte)random.Next(256);
            Decode(damaged);
        }
    }

    [Fact]
    public void DecodeMap_OfOtherContent_IsInvalid()
    {
        byte[] room = new byte[20];
        RwfWriter writer = new(room);
        writer.BeginMap(DataType.UInt, DataType.ElementList);
        writer.EndMap();
        Assert.Equal(DecodeResult.Invalid, _decoder.DecodeMap(room.AsSpan(0, writer.Written), 0));
    }

    private DecodeResult Decode(byte[] message) => _decoder.DecodeMap(message, HeaderBytes);

    private static byte[] Encode(ulong stamp)
    {
        byte[] room = new byte[HeaderBytes + Book.MaxBytes];
        return room[..(HeaderBytes + Book.Encode(room.AsSpan(HeaderBytes), StampFields.Update, stamp))];
    }
}
