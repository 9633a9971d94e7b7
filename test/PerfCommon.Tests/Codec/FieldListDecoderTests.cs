using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

public class FieldListDecoderTests
{
    private const short FirstKept = 3902;
    private const int KeptFields = 3;

    private static readonly FieldTypeTable Types = new(
    [
        (1, DataType.UInt), (22, DataType.Real), (16, DataType.Date), (18, DataType.Time), (4, DataType.Enum), (3, DataType.RmtesString),
        (-1, DataType.Int), (-2, DataType.Float), (-3, DataType.Double), (-4, DataType.DateTime), (-5, DataType.Qos), (-6, DataType.State),
        (-7, DataType.Buffer), (-8, DataType.AsciiString), (-9, DataType.Utf8String), (-10, DataType.ElementList),
        (3901, DataType.UInt), (3902, DataType.UInt), (3904, DataType.UInt), (3905, DataType.UInt),
    ]);

    private readonly FieldListDecoder _decoder = new(Types, FirstKept, KeptFields);

    [Fact]
    public void Decode_EveryType_UsesEachValue()
    {
        byte[] list = EveryType(bid: 10425, text: "abc"u8);
        Assert.Equal(DecodeResult.Success, _decoder.Decode(list, 0));
        ulong checksum = _decoder.Checksum;

        Assert.NotEqual(0UL, checksum);
        Assert.Equal(0, _decoder.UnknownFields);
        Assert.Equal(checksum, ChecksumOf(list));
        Assert.NotEqual(checksum, ChecksumOf(EveryType(bid: 10426, text: "abc"u8)));
        Assert.NotEqual(checksum, ChecksumOf(EveryType(bid: 10425, text: "abd"u8)));
    }

    [Fact]
    public void Decode_AnyChangedValueByte_ShowsInTheChecksum()
    {
        byte[] list = EveryType(bid: 10425, text: "abc"u8);
        ulong checksum = ChecksumOf(list);
        int bid = list.AsSpan().IndexOf([(byte)0, (byte)22, (byte)3]) + 4;
        list[bid]++;

        Assert.NotEqual(checksum, ChecksumOf(list));
    }

    [Fact]
    public void Decode_BlankFields_AreValues()
    {
        byte[] list = Write((ref RwfWriter writer) =>
        {
            foreach (short fieldId in new short[] { 1, 22, 16, 18, 4, 3, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, 3902 })
            {
                writer.BeginField(fieldId);
                writer.WriteBlank();
            }
        });

        Assert.Equal(DecodeResult.Success, _decoder.Decode(list, 0));
        Assert.Equal((0UL, 0L), (_decoder.Kept(0), _decoder.UnknownFields));
    }

    [Fact]
    public void Decode_UnknownFields_AreCountedAndEachIsKeptOnce()
    {
        byte[] list = Write((ref RwfWriter writer) =>
        {
            writer.WriteUIntField(500, 1);
            writer.WriteUIntField(1, 2);
            writer.BeginField(-501);
            writer.WriteContent("x"u8);
        });
        Assert.Equal(DecodeResult.Success, _decoder.Decode(list, 0));
        _decoder.Decode(list, 0);

        Assert.Equal(4, _decoder.UnknownFields);
        Assert.Equal([500, -501], _decoder.UnknownIds);
    }

    [Fact]
    public void Kept_EachList_HasItsOwnValues()
    {
        _decoder.Decode(Write((ref RwfWriter writer) => writer.WriteUIntField(3902, ulong.MaxValue)), 0);
        Assert.Equal([ulong.MaxValue, 0UL, 0UL], KeptValues());
        _decoder.Decode(Write((ref RwfWriter writer) => writer.WriteUIntField(3904, 7)), 0);
        Assert.Equal([0UL, 0UL, 7UL], KeptValues());
        _decoder.Decode([], 0);

        Assert.Equal([0UL, 0UL, 0UL], KeptValues());
    }

    [Fact]
    public void Kept_NeighboursOfTheKeptFields_AreNotKept()
    {
        _decoder.Decode(Write((ref RwfWriter writer) =>
        {
            writer.WriteUIntField(3901, 1);
            writer.WriteUIntField(3905, 2);
        }), 0);

        Assert.Equal([0UL, 0UL, 0UL], KeptValues());
    }

    [Fact]
    public void Decode_Nothing_IsNoData()
    {
        Assert.Equal(DecodeResult.NoData, _decoder.Decode([], 0));
        Assert.Equal(DecodeResult.Success, _decoder.Decode(Write((ref RwfWriter writer) => { }), 0));
    }

    [Fact]
    public void Decode_SetDataWithoutDefinition_DecodesTheStandardPart()
    {
        // flags: set data and standard data | set data of 3 bytes | one entry: field 3902, one byte
        byte[] list = [ListFlags.HasSetData | ListFlags.HasStandardData, 3, 1, 2, 3, 0, 1, 0x0F, 0x3E, 1, 9];
        Assert.Equal(DecodeResult.Success, _decoder.Decode(list, 0));

        Assert.Equal(9UL, _decoder.Kept(0));
    }

    [Fact]
    public void Decode_CutAnywhere_SaysSoAndNeverThrows()
    {
        byte[] list = EveryType(bid: 10425, text: "abc"u8);
        for (int length = 1; length < list.Length; length++)
            Assert.True(_decoder.Decode(list.AsSpan(0, length), 0) > DecodeResult.Blank, $"cut at {length}");
    }

    [Fact]
    public void Decode_AfterWarmUp_AllocatesNothing()
    {
        byte[] list = EveryType(bid: 10425, text: "abc"u8);
        Decode(list);
        Allocation.None(() => Decode(list));
    }

    private delegate void Fields(ref RwfWriter writer);

    private void Decode(byte[] list)
    {
        for (int i = 0; i < 10_000; i++)
            _decoder.Decode(list, 0);
    }

    private ulong[] KeptValues() => [_decoder.Kept(0), _decoder.Kept(1), _decoder.Kept(2)];

    private static ulong ChecksumOf(byte[] list)
    {
        FieldListDecoder decoder = new(Types, FirstKept, KeptFields);
        decoder.Decode(list, 0);
        return decoder.Checksum;
    }

    private static byte[] EveryType(long bid, ReadOnlySpan<byte> text)
    {
        byte[] copy = text.ToArray();
        RwfTime time = new(14, 3, 59, 7, 8, 9);
        RwfDate date = new(20, 11, 2026);
        return Write((ref RwfWriter writer) =>
        {
            writer.WriteUIntField(1, 6120);
            writer.BeginField(22);
            writer.WriteReal(new RwfReal(bid, 12));
            writer.BeginField(16);
            writer.WriteDate(date);
            writer.BeginField(18);
            writer.WriteTime(time);
            writer.WriteUIntField(4, 217);
            writer.BeginField(3);
            writer.WriteContent(copy);
            writer.BeginField(-1);
            writer.WriteInt(-70_000);
            writer.BeginField(-2);
            writer.WriteFloat(1.5f);
            writer.BeginField(-3);
            writer.WriteDouble(-2.25);
            writer.BeginField(-4);
            writer.WriteDateTime(new RwfDateTime(date, time));
            writer.BeginField(-5);
            writer.WriteQos(RwfQos.RealTimeTickByTick);
            writer.BeginField(-6);
            writer.WriteState(new RwfState(StreamState.Open, DataState.Ok, StateCode.None, "fine"u8));
            writer.BeginField(-7);
            writer.WriteContent([1, 2, 3]);
            writer.BeginField(-10);
            writer.WriteContent([8, 0, 0]);
            writer.WriteUIntField(3902, 1);
        });
    }

    private static byte[] Write(Fields fields)
    {
        byte[] room = new byte[500];
        RwfWriter writer = new(room);
        writer.BeginFieldList();
        fields(ref writer);
        Assert.True(writer.EndFieldList());
        return room[..writer.Written];
    }
}
