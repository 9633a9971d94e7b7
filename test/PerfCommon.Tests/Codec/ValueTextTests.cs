using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>Values formatted for people; the vectors of <c>MsgData/FieldTextVectorTests</c> have many more.</summary>
public class ValueTextTests
{
    [Theory]
    [InlineData(1, RealHint.Exponent7, "10000000")]
    [InlineData(0, RealHint.Blank, "")]
    [InlineData(long.MinValue, RealHint.ExponentMinus14, "-92233.72036854775808")]
    public void ToString_Real_FollowsItsHint(long value, byte hint, string expected) =>
        Assert.Equal(expected, new RwfReal(value, hint).ToString());

    [Fact]
    public void ToString_BlankTimes_AreEmpty()
    {
        Assert.Equal("", RwfTime.BlankValue.ToString());
        Assert.Equal("", RwfDateTime.BlankValue.ToString());
        Assert.Equal("", default(RwfDate).ToString());
    }

    [Fact]
    public void ToString_PartsOfADate_LeavesTheRestOut() => Assert.Equal("NOV 2005", new RwfDate(0, 11, 2005).ToString());

    [Fact]
    public void ToString_DateAndTime_StandBesideEachOther() =>
        Assert.Equal("15 NOV 2005 15:52:12:000:000:000", new RwfDateTime(new RwfDate(15, 11, 2005), new RwfTime(15, 52, 12)).ToString());
}
