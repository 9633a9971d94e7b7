using System.Globalization;
using System.Text.Json;
using Xunit;

namespace Tools.Tests.Reports;

[Trait("Category", "Fast")]
public class ExpectedReportTests
{
    public static TheoryData<string> Names => new(WrittenReports.Names);

    [Theory, MemberData(nameof(Names))]
    public void Report_InvariantCulture_EqualsItsFile(string name) => Assert.Equal(Expected(name), WrittenReports.Write(name));

    [Theory, MemberData(nameof(Names))]
    public void Report_CultureWithDecimalComma_EqualsItsFile(string name)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        CultureInfo altered = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        altered.NumberFormat.NumberDecimalSeparator = ",";
        altered.NumberFormat.NegativeSign = "~";
        altered.DateTimeFormat.DateSeparator = ".";
        altered.DateTimeFormat.TimeSeparator = ".";
        try
        {
            CultureInfo.CurrentCulture = altered;
            Assert.Equal(Expected(name), WrittenReports.Write(name));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Theory]
    [InlineData("ConsStats.csv")]
    [InlineData("ProvStats.csv")]
    [InlineData("NIProvStats.csv")]
    [InlineData("HubStats.csv")]
    [InlineData("TransportStats.csv")]
    public void StatsFile_EveryRow_HasAsManyColumnsAsTheHeader(string name)
    {
        string[] lines = WrittenReports.Write(name).TrimEnd('\n').Split('\n');
        Assert.All(lines, line => Assert.Equal(lines[0].Split(", ").Length, line.Split(", ").Length));
    }

    [Theory]
    [InlineData("Cons.jsonl")]
    [InlineData("Prov.jsonl")]
    [InlineData("NIProv.jsonl")]
    [InlineData("Hub.jsonl")]
    [InlineData("Transport.jsonl")]
    public void JsonLines_EachLine_IsOneObjectAndTheLastIsFinal(string name)
    {
        string[] lines = WrittenReports.Write(name).TrimEnd('\n').Split('\n');
        bool[] final = [.. lines.Select(line => JsonDocument.Parse(line).RootElement.GetProperty("final").GetBoolean())];
        Assert.False(final[0]);
        Assert.True(final[^1]);
    }

    // a report without a file, or with another text, is written next to the tests for a person to look at
    private static string Expected(string name)
    {
        string actual = Path.Combine(Directory.CreateDirectory(Path.Combine(AppContext.BaseDirectory, "Actual")).FullName, name);
        string expected = Path.Combine(AppContext.BaseDirectory, "Reports", "Expected", name);
        string text = File.Exists(expected) ? File.ReadAllText(expected) : "";
        if (text != WrittenReports.Write(name))
            File.WriteAllText(actual, WrittenReports.Write(name));
        return text;
    }
}
