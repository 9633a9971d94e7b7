using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using PerfCommon.Measurement;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>The content of report.html of a run; test/report-in-browser.sh shows its look.</summary>
public sealed partial class ReportPageTests : IDisposable
{
    private const int HourSeconds = 3_600;
    private const int MaxBytes = 300_000;
    private const string Evil = "<script>alert('x')</script>\" onload=\"y&amp;\u0007";

    private readonly TestFolder _folder = new();

    [Fact]
    public void TryWrite_RunOfAnHour_IsSmallAndHasAtMostSevenHundredAndTwentyPoints()
    {
        GeneratedRun.Write(_folder.FullPath, HourSeconds);
        long begin = Stopwatch.GetTimestamp();
        string page = WriteReport();
        TestContext.Current.TestOutputHelper?.WriteLine($"{page.Length} bytes in {Stopwatch.GetElapsedTime(begin).TotalSeconds:F2} s");
        Assert.InRange(page.Length, 50_000, MaxBytes);
        using JsonDocument points = ReadPoints(page);
        Assert.Equal(6, points.RootElement.GetProperty("secondsPerPoint").GetDouble());
        Assert.InRange(points.RootElement.GetProperty("seconds").GetArrayLength(), 600, PointTable.MaxPoints);
        Assert.All(points.RootElement.EnumerateObject().Skip(2),
            column => Assert.Equal(points.RootElement.GetProperty("seconds").GetArrayLength(), column.Value.GetArrayLength()));
    }

    [Fact]
    public void Points_ThatStandForSeveralIntervals_HaveThePercentilesOfTheirSum()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 1_430); // two a point
        using JsonDocument points = ReadPoints(WriteReport());
        LongHistogram sum = LongHistogram.CreateForTimes(LatencyUnit.Microseconds),
        second = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
        sum.Add(GeneratedRun.Samples(second, 599, 35)); // the consumer's collections end 0.9 s after whole seconds
        sum.Add(GeneratedRun.Samples(second, 600, 35));
        Assert.Equal(sum.GetValueAtPercentile(99), points.RootElement.GetProperty("consumer.latency.p99")[300].GetDouble());
        Assert.Equal(sum.GetValueAtPercentile(50), points.RootElement.GetProperty("consumer.latency.p50")[300].GetDouble());
    }

    [Fact]
    public void TryWrite_FolderThatIsGone_SaysSo()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5);
        RecordedRun run = RecordedRun.Read(_folder.FullPath);
        Directory.Delete(_folder.FullPath, recursive: true);
        Assert.Equal($"{_folder.PathOf(ReportFolder.FileName)}: cannot be made: no such folder", ReportFolder.TryWrite(run));
        Directory.CreateDirectory(_folder.FullPath); // for the end of the test
    }

    [Fact]
    public void Figures_OfThePage_AreThoseOfRunJson()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 20);
        string page = WriteReport();
        using JsonDocument run = JsonDocument.Parse(File.ReadAllText(_folder.PathOf(RunFile.Name)));
        Match[] figures = [.. FigureCell().Matches(page).Cast<Match>()];
        Assert.InRange(figures.Length, 30, 100);
        foreach (Match figure in figures)
        {
            JsonElement found = Find(run.RootElement, figure.Groups[1].Value);
            Assert.Equal(found.GetDouble(), double.Parse(figure.Groups[2].Value, CultureInfo.InvariantCulture));
            string text = figure.Groups[3].Value;
            if (text == "ended")
                text = "143"; // as perftools ends a role
            double shown = double.Parse(text, NumberStyles.Number, CultureInfo.InvariantCulture);
            Assert.InRange(shown, found.GetDouble() - 0.5, found.GetDouble() + 0.5);
        }

        Assert.Contains("<b id=verdict>OK</b>", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Texts_FromOutside_AreNeverPartOfThePage()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 3, run => run with
        {
            Scenario = Evil,
            Verdict = "FAILED",
            Reason = Evil,
            Inputs = run.Inputs.Append(new(Evil, JsonSerializer.SerializeToElement(Evil))).ToDictionary(),
            Roles = [.. run.Roles.Select(role => role with { Name = role.Name + Evil, Command = Evil })],
            Links = [.. run.Links.Select(link => link with { What = Evil, From = Evil })],
            Assertions = [.. run.Assertions.Select(assertion => assertion with { Line = Evil })],
            Machine = run.Machine with { OperatingSystem = Evil },
        });
        string page = WriteReport();
        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("\" onload", page, StringComparison.Ordinal);
        Assert.DoesNotContain('\u0007', page);
        Assert.Contains(WebUtility.HtmlEncode("<script>alert('x')</script>\" onload=\"y&amp;"), page, StringComparison.Ordinal);
        Assert.Contains("class=\"verdict failed\"", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Page_NeedsNothingFromOutside()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5);
        string page = WriteReport();
        Assert.DoesNotMatch("(?i)https?:|<script|<link|<img|<iframe|@import|url\\(|\\bon[a-z]+=", page);
        Assert.Contains("prefers-color-scheme:dark", page, StringComparison.Ordinal);
        Assert.Contains("@media print", page, StringComparison.Ordinal);
        foreach (string chart in (string[])["Latency by percentile, us", "Latency over time, us", "Rate, messages/s",
            "Send lag over time, us", "CPU, % of one core", "Memory in use, MB"])
        {
            Assert.Contains($"<figcaption><b>{chart}</b>", page, StringComparison.Ordinal);
        }

        Assert.InRange(page.IndexOf("Options that differ", StringComparison.Ordinal), -1,
            page.IndexOf("Other options", StringComparison.Ordinal));
    }

    [Fact]
    public void TryWrite_RunThatLeftNothingButRunJson_HasItsVerdict()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 1,
            run => run with { Verdict = "FAILED", Reason = "no final figures", Figures = null, Roles = [], Links = [] });
        string page = WriteReport();
        Assert.Contains("<b id=verdict>FAILED</b><span>no final figures</span>", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<svg", page, StringComparison.Ordinal);
    }

    [Fact]
    public void TryWrite_LogCutInALine_HasWhatIsWhole()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 5);
        string log = _folder.PathOf("Cons-updates.hlog");
        File.WriteAllText(log, File.ReadAllText(log)[..^200]);
        Assert.Contains("Latency over time, us", WriteReport(), StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private string WriteReport()
    {
        Assert.Null(ReportFolder.TryWrite(_folder.FullPath));
        return File.ReadAllText(_folder.PathOf("report.html"));
    }

    private static JsonDocument ReadPoints(string page)
    {
        string text = page[page.IndexOf("<pre id=points>", StringComparison.Ordinal)..];
        return JsonDocument.Parse(
            WebUtility.HtmlDecode(text[text.IndexOf('{', StringComparison.Ordinal)..text.IndexOf("</pre>", StringComparison.Ordinal)]));
    }

    private static JsonElement Find(JsonElement root, string path) => path.Split('.').Aggregate(
        root, (found, name) =>
            found.ValueKind == JsonValueKind.Array ? found[int.Parse(name, CultureInfo.InvariantCulture)] : found.GetProperty(name));

    [GeneratedRegex("data-figure=\"([^\"]+)\" data-value=\"([^\"]+)\">([^<\n]+)")]
    private static partial Regex FigureCell();
}
