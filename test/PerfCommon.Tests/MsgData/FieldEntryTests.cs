using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

/// <summary>Every type and rule of a field entry, by the bytes it is encoded to.</summary>
public class FieldEntryTests
{
    [Theory]
    [InlineData(1, "UINT", "57132000", "0367c3e0")]
    [InlineData(1, "UINT", "18446744073709551615", "ffffffffffffffff")]
    [InlineData(1, "UINT", "", "")]
    [InlineData(22, "REAL", "2848.560000", "0800a9c99380")]
    [InlineData(22, "REAL", "7 3/8", "193b")]
    [InlineData(22, "REAL", "-Inf", "22")]
    [InlineData(22, "REAL", "+0", "")]
    [InlineData(16, "DATE", "11/15/2005", "0f0b07d5")]
    [InlineData(16, "DATE", "0000-00-00", "")]
    [InlineData(18, "TIME", "15:52:12:000:000:000", "0f340c")]
    [InlineData(18, "TIME", "15:52:00", "0f34")]
    [InlineData(18, "TIME", "01:02:03.123456789", "010203007b19c815")]
    [InlineData(18, "TIME", "", "")]
    [InlineData(4, "ENUM", "840", "0348")]
    [InlineData(3, "RMTES_STRING", "N", "4e")]
    [InlineData(3, "RMTES_STRING", " ", "20")]
    [InlineData(3, "RMTES_STRING", "", "")]
    [InlineData(3, "RMTES_STRING", "&lt;&#xE4;", "3cc3a4")]
    [InlineData(-1, "INT", "-129", "ff7f")]
    [InlineData(-2, "FLOAT", "1.5", "3fc00000")]
    [InlineData(-2, "FLOAT", "NaN", "7fc00000")]
    [InlineData(-3, "DOUBLE", "-1e308", "ffe1ccf385ebc8a0")]
    [InlineData(-4, "DATETIME", "11/15/2005 12:34:56:789:123:456", "0f0b07d50c22380315087bc8")]
    [InlineData(-4, "DATETIME", "2005-11-15T12:34", "0f0b07d50c22")]
    [InlineData(-5, "QOS", "", "")]
    [InlineData(-6, "STATE", "", "")]
    [InlineData(-7, "BUFFER", "ab", "6162")]
    [InlineData(-8, "ASCII_STRING", "xyz", "78797a")]
    [InlineData(-9, "UTF8_STRING", "&#x20AC;", "e282ac")]
    public void Read_DataOfEveryType_IsEncoded(int fieldId, string type, string data, string hex) =>
        Assert.Equal([((short)fieldId, hex)], Encode($"""<fieldEntry fieldId="{fieldId}" dataType="RSSL_DT_{type}" data="{data}"/>"""));

    [Fact]
    public void Read_LongText_TakesTheThreeByteLength()
    {
        string text = new('x', 300);
        Assert.Equal(600, Encode($"""<fieldEntry fieldId="3" dataType="RSSL_DT_RMTES_STRING" data="{text}"/>""")[0].Hex.Length);
    }

    [Theory]
    [InlineData("""qosTimeliness="RSSL_QOS_TIME_REALTIME" qosRate="RSSL_QOS_RATE_TICK_BY_TICK" """, "22")]
    [InlineData("""qosTimeliness="RSSL_QOS_TIME_DELAYED" qosRate="RSSL_QOS_RATE_TIME_CONFLATED" qosDynamic="1" qosTimeInfo="300" qosRateInfo="5" """,
        "67012c0005")]
    public void Read_Qos_IsEncoded(string attributes, string hex) =>
        Assert.Equal([((short)-5, hex)], Encode($"""<fieldEntry fieldId="-5" dataType="RSSL_DT_QOS" {attributes}/>"""));

    [Theory]
    [InlineData("""streamState="RSSL_STREAM_OPEN" dataState="RSSL_DATA_OK" code="RSSL_SC_NONE" text="" """, "090000")]
    [InlineData("""streamState="RSSL_STREAM_CLOSED_RECOVER" dataState="RSSL_DATA_SUSPECT" code="GAP_FILL" text="AB" """, "1a22024142")]
    [InlineData("""streamState="RSSL_STREAM_OPEN" dataState="RSSL_DATA_OK" """, "090000")]
    public void Read_State_IsEncoded(string attributes, string hex) =>
        Assert.Equal([((short)-6, hex)], Encode($"""<fieldEntry fieldId="-6" dataType="RSSL_DT_STATE" {attributes}/>"""));

    [Theory]
    [InlineData("""dataType="RSSL_DT_UINT" data="1" """, "fieldEntry has no attribute fieldId")]
    [InlineData("""fieldId="1" data="1" """, "fieldEntry has no attribute dataType")]
    [InlineData("""fieldId="1" dataType="RSSL_DT_UINT" """, "field 1 has no attribute data")]
    [InlineData("""fieldId="32768" dataType="RSSL_DT_UINT" data="1" """, "fieldId is \"32768\", expected a number from -32768 to 32767")]
    [InlineData("""fieldId="BID" dataType="RSSL_DT_UINT" data="1" """, "fieldId is \"BID\"")]
    [InlineData("""fieldId="1" dataType="UINT" data="1" """, "dataType \"UINT\" is not known")]
    [InlineData("""fieldId="1" dataType="RSSL_DT_ARRAY" data="1" """,
        "field 1: fields can have any of the primitive types but RSSL_DT_ARRAY, whose values have no text form here")]
    [InlineData("""fieldId="1" dataType="RSSL_DT_MAP" data="1" """, "dataType \"RSSL_DT_MAP\" is not known")]
    [InlineData("""fieldId="7" dataType="RSSL_DT_UINT" data="1" """, "field 7 is not in the field dictionary")]
    [InlineData("""fieldId="22" dataType="RSSL_DT_UINT" data="1" """, "field 22 (BID) is RSSL_DT_UINT here and RSSL_DT_REAL in the field dictionary")]
    [InlineData("""fieldId="3902" dataType="RSSL_DT_UINT" data="1" """, "field 3902 is kept for time stamps")]
    [InlineData("""fieldId="3903" dataType="RSSL_DT_UINT" data="1" """, "field 3903 is kept for time stamps")]
    [InlineData("""fieldId="3904" dataType="RSSL_DT_UINT" data="1" """, "field 3904 is kept for time stamps")]
    [InlineData("""fieldId="1" dataType="RSSL_DT_UINT" data="x" """, "field 1: \"x\" is not a value of RSSL_DT_UINT")]
    [InlineData("""fieldId="1" dataType="RSSL_DT_UINT" data="-5" """, "field 1: \"-5\" is not a value of RSSL_DT_UINT")]
    [InlineData("""fieldId="16" dataType="RSSL_DT_DATE" data="31/31/2005" """, "field 16: \"31/31/2005\" is not a value of RSSL_DT_DATE")]
    [InlineData("""fieldId="-5" dataType="RSSL_DT_QOS" qosRate="RSSL_QOS_RATE_TICK_BY_TICK" """, "fieldEntry has no attribute qosTimeliness")]
    [InlineData("""fieldId="-5" dataType="RSSL_DT_QOS" qosTimeliness="NOW" qosRate="RSSL_QOS_RATE_TICK_BY_TICK" """, "qosTimeliness \"NOW\" is not known")]
    [InlineData("""fieldId="-5" dataType="RSSL_DT_QOS" qosTimeliness="RSSL_QOS_TIME_UNSPECIFIED" qosRate="RSSL_QOS_RATE_TICK_BY_TICK" """,
        "a QoS without timeliness or rate cannot travel")]
    [InlineData("""fieldId="-5" dataType="RSSL_DT_QOS" qosTimeliness="RSSL_QOS_TIME_REALTIME" qosRate="RSSL_QOS_RATE_TICK_BY_TICK" qosDynamic="2" """,
        "qosDynamic is \"2\", expected a number from 0 to 1")]
    [InlineData("""fieldId="-6" dataType="RSSL_DT_STATE" streamState="RSSL_STREAM_OPEN" """, "fieldEntry has no attribute dataState")]
    [InlineData("""fieldId="-6" dataType="RSSL_DT_STATE" streamState="RSSL_STREAM_OPEN" dataState="RSSL_DATA_OK" code="RSSL_SC_GONE" """,
        "code \"RSSL_SC_GONE\" is not known")]
    [InlineData("""fieldId="-6" dataType="RSSL_DT_STATE" streamState="RSSL_STREAM_UNSPECIFIED" dataState="RSSL_DATA_OK" """,
        "a state without stream state cannot travel")]
    [InlineData("""fieldId="1" dataType="RSSL_DT_UINT" data="1" data="2" """, "data")]
    public void Read_WrongEntry_NamesLineAndReason(string attributes, string problem)
    {
        using TemporaryFile file = new(MessageFile.Of(updates: [$"<fieldEntry {attributes}/>"]));
        SetupException error = Assert.Throws<SetupException>(() => MessageData.Load(file.Path, MessageFile.Dictionary));
        Assert.Equal(SetupProblem.InputFile, error.Problem);
        Assert.StartsWith($"{file.Path}(4): ", error.Message);
        Assert.Contains(problem, error.Message);
    }

    [Fact]
    public void Read_TextTooLong_IsRefused()
    {
        string text = new('x', 65_536);
        using TemporaryFile file = new(MessageFile.Of(updates: [$"""<fieldEntry fieldId="3" dataType="RSSL_DT_RMTES_STRING" data="{text}"/>"""]));
        SetupException error = Assert.Throws<SetupException>(() => MessageData.Load(file.Path, MessageFile.Dictionary));
        Assert.EndsWith("field 3: the text has 65536 bytes, at most 65535 are possible", error.Message);
    }

    [Fact]
    public void Read_ControlCharacters_AreEscapedInTheMessage()
    {
        using TemporaryFile file = new(MessageFile.Of(updates: [$"""<fieldEntry fieldId="1" dataType="RSSL_DT_UINT" data="&#x9;{new string('7', 200)}"/>"""]));
        string message = Assert.Throws<SetupException>(() => MessageData.Load(file.Path, MessageFile.Dictionary)).Message;
        Assert.Contains($"\"\\u0009{new string('7', 119)}...\"", message);
    }

    [Fact]
    public void Read_UnknownAttribute_IsWarnedOfOnce()
    {
        string entry = """<fieldEntry fieldId="1" dataType="RSSL_DT_UINT" data="1" acronym="PROD_PERM"/>""";
        using TemporaryFile file = new(MessageFile.Of(updates: [entry + entry]));
        MessageData data = MessageData.Load(file.Path, MessageFile.Dictionary);
        Assert.EndsWith("(4): unknown attribute acronym is passed over", Assert.Single(data.Warnings));
    }

    private static List<(short Id, string Hex)> Encode(string entry)
    {
        using TemporaryFile file = new(MessageFile.Of(updates: [entry]));
        return EncodedFields.Split(EncodedFields.Encode(MessageData.Load(file.Path, MessageFile.Dictionary).Updates[0]));
    }
}
