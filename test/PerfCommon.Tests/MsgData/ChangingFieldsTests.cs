using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

/// <summary>Numbers that are set from message to message, in a copy of a template.</summary>
public class ChangingFieldsTests
{
    private static readonly FieldListTemplate Template = new FieldListBuilder(FieldDictionary.Default)
        .Add("PROD_PERM", 1).Add("BID", 1).Add("DSPLY_NAME", "A").Add("RDN_EXCHID", 1).Build();

    [Theory]
    [InlineData(0)]
    [InlineData(127)]
    [InlineData(1_000_000_007)]
    [InlineData(long.MaxValue)]
    public void Set_AnyNumber_EncodesAsATemplateMadeOfIt(long value)
    {
        FieldListTemplate copy = Template.Copy();
        copy.Set(0, value);
        copy.Set(copy.IndexOf(22), new RwfReal(-value, RealHint.Exponent0 - 2));
        copy.Set(3, value & ushort.MaxValue);
        FieldListTemplate made = new FieldListBuilder(FieldDictionary.Default)
            .Add("PROD_PERM", value).Add("BID", new RwfReal(-value, RealHint.Exponent0 - 2)).Add("DSPLY_NAME", "A").Add("RDN_EXCHID",
                value & ushort.MaxValue).Build();
        Assert.Equal(Encode(made), Encode(copy));
        Assert.True(copy.EncodedBytes >= made.EncodedBytes);
        Assert.Equal((ulong)value, copy.Fields[0].Value);
        Assert.Equal(1ul, Template.Fields[0].Value);
    }

    [Fact]
    public void Set_WhatCannotBe_IsRefused()
    {
        FieldListTemplate copy = Template.Copy();
        Assert.Throws<InvalidOperationException>(() => Template.Set(0, 1));
        Assert.Throws<ArgumentException>(() => copy.Set(0, -1)); // unsigned
        Assert.Throws<ArgumentException>(() => copy.Set(3, 65_536)); // an enum
        Assert.Throws<ArgumentException>(() => copy.Set(2, 1)); // a text
        Assert.Throws<ArgumentException>(() => copy.Set(1, RwfReal.BlankValue));
        Assert.Equal(-1, copy.IndexOf(3902));
    }

    private static byte[] Encode(FieldListTemplate fields)
    {
        byte[] room = new byte[200];
        RwfWriter writer = new(room);
        Assert.True(fields.EncodeList(ref writer));
        return room.AsSpan(0, writer.Written).ToArray();
    }
}
