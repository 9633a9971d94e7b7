using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Values of a field list by id and by name.</summary>
public class FieldValuesTests
{
    private static readonly byte[] List = Encode(new FieldListBuilder(FieldDictionary.Default)
        .Add("PROD_PERM", 3056).Add("DSPLY_NAME", "A company").Add("BID", 104.25m).Add("ASK", null).Add("RDN_EXCHID", 2).Build());

    private static FieldValues Values => new(List, FieldDictionary.Default);

    [Fact]
    public void TryGet_ByNameAndId_GivesTheSame()
    {
        Assert.True(Values.TryGet("BID", out double byName));
        Assert.True(Values.TryGet(22, out double byId));
        Assert.Equal((104.25, 104.25), (byName, byId));
        Assert.True(Values.TryGet("BID", out RwfReal real));
        Assert.Equal("104.25", real.ToString());
    }

    [Fact]
    public void TryGet_WholeNumbers_OfEveryKind()
    {
        Assert.True(Values.TryGet("PROD_PERM", out long permission));
        Assert.True(Values.TryGet("RDN_EXCHID", out long exchange));
        Assert.True(Values.TryGet("PROD_PERM", out double same));
        Assert.Equal((3056, 2, 3056.0), (permission, exchange, same));
        Assert.False(Values.TryGet("BID", out long _)); // a Real is no whole number
    }

    [Fact]
    public void TryGet_Texts_AreTheirBytes()
    {
        Assert.True(Values.TryGet("DSPLY_NAME", out ReadOnlySpan<byte> name));
        Assert.Equal("A company", Encoding.ASCII.GetString(name));
        Assert.Equal(("A company", "104.25", ""), (Values.TextOf("DSPLY_NAME"), Values.TextOf("BID"), Values.TextOf("ASK")));
    }

    [Fact]
    public void TryGet_BlankMissingAndUnknown_IsFalse()
    {
        Assert.True(Values.TryFind("ASK", out FieldEntry blank));
        Assert.Equal(0, blank.Length);
        Assert.False(Values.TryGet("ASK", out double _) || Values.TryGet("ASK", out RwfReal _)
            || Values.TryGet("ASK", out ReadOnlySpan<byte> _));
        Assert.False(Values.TryGet("TRADE_DATE", out long _) || Values.TryGet("NO_SUCH_FIELD", out long _) || Values.TryFind(0, out _));
        Assert.Equal("", Values.TextOf("NO_SUCH_FIELD"));
    }

    [Fact]
    public void TryGet_CutAnywhere_NeverThrowsAndNeverInvents()
    {
        for (int length = 0; length < List.Length; length++)
        {
            FieldValues cut = new(List.AsSpan(0, length), FieldDictionary.Default);
            Assert.False(cut.TryGet("RDN_EXCHID", out long _));
            Assert.True(!cut.TryGet("BID", out double bid) || bid == 104.25);
        }
    }

    [Fact]
    public void TryGet_Warm_AllocatesNothing() => Allocation.None(() =>
    {
        for (int i = 0; i < 1_000; i++)
        {
            Assert.True(Values.TryGet("BID", out double _) && Values.TryGet(22, out RwfReal _)
                && Values.TryGet("DSPLY_NAME", out ReadOnlySpan<byte> _));
        }
    });

    private static byte[] Encode(FieldListTemplate fields)
    {
        byte[] room = new byte[fields.EncodedBytes + 64];
        RwfWriter writer = new(room);
        Assert.True(fields.EncodeList(ref writer));
        return room.AsSpan(0, writer.Written).ToArray();
    }
}
