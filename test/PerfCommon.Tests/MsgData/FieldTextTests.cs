using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

/// <summary>Rules of the texts that no vector covers.</summary>
public class FieldTextTests
{
    [Theory]
    [InlineData("")]
    [InlineData("  ")]
    public void TryParse_EmptyText_IsBlankForEveryType(string text)
    {
        Assert.Equal(TextResult.Blank, FieldText.TryParseInt(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseUInt(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseEnum(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseFloat(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseDouble(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseReal(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseDate(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseTime(text, out _));
        Assert.Equal(TextResult.Blank, FieldText.TryParseDateTime(text, out _));
    }

    [Theory]
    [InlineData("-7 3/8", -59, 25)]
    [InlineData("1/256", 1, 30)]
    [InlineData("123.4500", 1234500, 10)]
    [InlineData("+12", 12, 14)]
    public void TryParseReal_Forms_KeepPrecision(string text, long value, byte hint)
    {
        Assert.Equal(TextResult.Value, FieldText.TryParseReal(text, out RwfReal real));
        Assert.Equal(new RwfReal(value, hint), real);
    }

    [Theory]
    [InlineData("1.")]
    [InlineData("-")]
    [InlineData(".")]
    [InlineData("/4")]
    [InlineData("1/")]
    [InlineData("1 /4")]
    [InlineData("1 1")]
    [InlineData("1e5")]
    [InlineData("--1")]
    [InlineData("000000000000000000001")]
    [InlineData("9223372036854775807 1/2")]
    [InlineData("123456789012345678901234567890")]
    public void TryParseReal_OtherForms_AreInvalid(string text) =>
        Assert.Equal(TextResult.Invalid, FieldText.TryParseReal(text, out _));

    [Theory]
    [InlineData("12:34:56.")]
    [InlineData("12:34:56.1234567890")]
    [InlineData("12:34.5")]
    [InlineData("12:34:56Zulu")]
    [InlineData("256:1")]
    [InlineData("1::2")]
    [InlineData("1:2:3:4:5:6:7")]
    [InlineData("7")]
    public void TryParseTime_OtherForms_AreInvalid(string text) =>
        Assert.Equal(TextResult.Invalid, FieldText.TryParseTime(text, out _));

    [Theory]
    [InlineData("2005/11/15")]
    [InlineData("2005-11-15")]
    [InlineData(" 15  nov  2005 ")]
    [InlineData("11/15/2005")]
    public void TryParseDate_EveryOrder_GivesTheSameDay(string text)
    {
        Assert.Equal(TextResult.Value, FieldText.TryParseDate(text, out RwfDate date));
        Assert.Equal(new RwfDate(15, 11, 2005), date);
    }

    [Theory]
    [InlineData("0/32/2005")]
    [InlineData("11/15 2005")]
    [InlineData("15 NOX 2005")]
    [InlineData("15 ANF 2005")]
    [InlineData("1/2/65536")]
    [InlineData("2005-1-15")]
    [InlineData("11/15/2005 x")]
    public void TryParseDate_OtherForms_AreInvalid(string text) =>
        Assert.Equal(TextResult.Invalid, FieldText.TryParseDate(text, out _));

    [Theory]
    [InlineData("2005-11-15 12:34")]
    [InlineData("2005-11-15T12:34")]
    [InlineData("20051115T1234")]
    [InlineData("11/15/2005  12:34")]
    [InlineData("15 NOV 2005 12:34Z")]
    public void TryParseDateTime_EveryForm_GivesTheSameMinute(string text)
    {
        Assert.Equal(TextResult.Value, FieldText.TryParseDateTime(text, out RwfDateTime value));
        Assert.Equal(new RwfDateTime(new RwfDate(15, 11, 2005), new RwfTime(12, 34)), value);
    }

    [Theory]
    [InlineData("2005-11-15")]
    [InlineData("11/15/2005T12:34")]
    [InlineData("2005-11-15T")]
    public void TryParseDateTime_NoTime_IsInvalid(string text) =>
        Assert.Equal(TextResult.Invalid, FieldText.TryParseDateTime(text, out _));

    [Fact]
    public void TryParseUInt_LargestNumber_Fits()
    {
        Assert.Equal(TextResult.Value, FieldText.TryParseUInt("18446744073709551615", out ulong value));
        Assert.Equal(ulong.MaxValue, value);
        Assert.Equal(TextResult.Invalid, FieldText.TryParseUInt("18446744073709551616", out _));
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("-5")]
    [InlineData("-9223372036854775808")]
    public void TryParseUInt_NegativeNumber_IsInvalid(string text) => Assert.Equal(TextResult.Invalid, FieldText.TryParseUInt(text, out _));

    [Fact]
    public void Conversions_CultureWithDecimalComma_StayTheSame()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo comma = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        comma.NumberFormat.NumberDecimalSeparator = ",";
        comma.NumberFormat.NegativeSign = "~";
        CultureInfo.CurrentCulture = comma;
        try
        {
            Assert.Equal("-12.50", new RwfReal(-1250, RealHint.Exponent0 - 2).ToString());
            Assert.Equal("0.25", new RwfReal(1, RealHint.Fraction1 + 2).ToString());
            Assert.Equal(TextResult.Value, FieldText.TryParseDouble("-1.5", out _));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("RSSL_SC_NOT_FOUND", StateCode.NotFound)]
    [InlineData("RSSL_SC_NO_BATCH_VIEW_SUPPORT_IN_REQ", StateCode.NoBatchViewSupportInReq)]
    [InlineData("GAP_FILL", StateCode.GapFill)]
    [InlineData("APP_AUTHORIZATION_FAILED", StateCode.AppAuthorizationFailed)]
    public void TryParseStateCode_WireNames_AreKnown(string text, StateCode expected)
    {
        Assert.True(FieldText.TryParseStateCode(text, out StateCode code));
        Assert.Equal(expected, code);
    }

    [Fact]
    public void TryParseStates_WireNames_AreKnown()
    {
        Assert.True(FieldText.TryParseStreamState("RSSL_STREAM_CLOSED_RECOVER", out StreamState stream));
        Assert.Equal(StreamState.ClosedRecover, stream);
        Assert.True(FieldText.TryParseDataState("RSSL_DATA_NO_CHANGE", out DataState data));
        Assert.Equal(DataState.NoChange, data);
        Assert.False(FieldText.TryParseStreamState("OPEN", out _));
        Assert.False(FieldText.TryParseDataState("RSSL_DATA_GONE", out _));
    }

    [Fact]
    public void TryParseQos_WireNames_AreKnown()
    {
        Assert.True(FieldText.TryParseTimeliness("RSSL_QOS_TIME_DELAYED", out byte timeliness));
        Assert.True(FieldText.TryParseRate("RSSL_QOS_RATE_JIT_CONFLATED", out byte rate));
        Assert.Equal((byte)QosTimeliness.Delayed, timeliness);
        Assert.Equal((byte)QosRate.JitConflated, rate);
        Assert.False(FieldText.TryParseRate("RSSL_QOS_TIME_REALTIME", out _));
    }

    [Fact]
    public void NameOf_EveryTypeOfTheFormat_IsReadBack()
    {
        foreach (DataType type in Enum.GetValues<DataType>().Where(type =>
            type is >= DataType.Int and <= DataType.RmtesString and not DataType.Array))
        {
            Assert.True(FieldText.TryParseDataType(FieldText.NameOf(type), out DataType back));
            Assert.Equal(type, back);
        }
    }
}
