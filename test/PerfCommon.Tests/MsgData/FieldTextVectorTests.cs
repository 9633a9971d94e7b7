using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

[Trait("Category", "Vectors")]
public class FieldTextVectorTests
{
    public static TheoryData<string> Names => new(TextVector.Names);

    public static TheoryData<string> NamesWithText => new(TextVector.Names.Where(name => TextVector.Of(name).Find("toString") is not null));

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

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(NamesWithText))]
    public void ToText_ValueOfVector_GivesItsText(string name)
    {
        TextVector vector = TextVector.Of(name);
        string expected = vector.Find("toString")!;
        Assert.SkipWhen(IsDateWithoutTime(vector), "a date without time is an error of ours");

        string text = Print(vector.Type, vector.Text);

        if (vector.Type == "REAL" && text != expected)
            AssertSameNumber(expected, text);
        else
            Assert.Equal(expected, text);
    }

    // The reference formats reals via a double: beyond its digits, and without decimals, only the number is the same.
    private static void AssertSameNumber(string expected, string text)
    {
        double number = double.Parse(expected, CultureInfo.InvariantCulture);
        Assert.Equal(number, double.Parse(text, CultureInfo.InvariantCulture), 1e-13 * Math.Abs(number));
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

    private static string Print(string type, string text)
    {
        switch (type)
        {
            case "REAL":
                FieldText.TryParseReal(text, out RwfReal real);
                return real.ToString();
            case "DATE":
                FieldText.TryParseDate(text, out RwfDate date);
                return date.ToString();
            case "TIME":
                FieldText.TryParseTime(text, out RwfTime time);
                return time.ToString();
            default:
                FieldText.TryParseDateTime(text, out RwfDateTime moment);
                return moment.ToString();
        }
    }

    private static string Members(RwfDate date) => $"{date.Day},{date.Month},{date.Year}";

    private static string Members(RwfTime time) =>
        $"{time.Hour},{time.Minute},{time.Second},{time.Millisecond},{time.Microsecond},{time.Nanosecond}";
}
