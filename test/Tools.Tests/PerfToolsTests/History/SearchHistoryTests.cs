using System.Text.Json.Nodes;
using System.Xml.Linq;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests.History;

/// <summary><c>perftools history</c> of searches.</summary>
public sealed class SearchHistoryTests : IDisposable
{
    private static readonly string Recorded = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Search", "Expected", "search.json"));
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();
    private readonly Random _random = new(11);

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void History_CapacityThatFell_IsWorseAndFails()
    {
        WriteAll(20, night => night < 10 ? 4_200_000 : 3_700_000);
        Assert.Equal(6, Run("--fail", "--junit", _folder.PathOf("junit.xml")));
        Assert.StartsWith("search direct  20 searches, 2026-03-01 02:00 to 2026-03-20 02:00 UTC", $"{_output}", StringComparison.Ordinal);
        Assert.Matches(@"perftools: history: search direct: capacity, updates/s -1\d\.\d % \(worse, noise [\d.]+ %\) at 2026-03-11 02:00 UTC", $"{_error}");
        XElement failed = Assert.Single(XDocument.Load(_folder.PathOf("junit.xml")).Root!.Elements("testcase"));
        Assert.Equal("search direct: capacity, updates/s", failed.Attribute("name")!.Value);
        Assert.NotNull(failed.Element("failure"));
    }

    [Theory]
    [InlineData(1.0, "SAME")]
    [InlineData(1.15, "BETTER")]
    public void History_CapacityThatDidNotFall_DoesNotFail(double factor, string verdict)
    {
        WriteAll(20, night => night < 10 ? 4_200_000 : 4_200_000 * factor);
        Assert.Equal(0, Run("--fail"));
        Assert.Contains($"\n{verdict}", $"{_output}", StringComparison.Ordinal);
    }

    [Fact]
    public void History_EachSearch_HasItsIntervalInPageAndCsv()
    {
        WriteAll(3, _ => 4_000_000);
        Assert.Equal(0, Run());
        string[] csv = File.ReadAllLines(_folder.PathOf("runs/history.csv"));
        Assert.Equal(4, csv.Length);
        string[] columns = csv[0].Split(','), row = csv[1].Split(',');
        double Number(string name) => double.Parse(row[Array.IndexOf(columns, name)], System.Globalization.CultureInfo.InvariantCulture);
        Assert.Equal("capacity", row[Array.IndexOf(columns, "figure")]);
        Assert.Equal((Number("value") * 0.95, Number("value") * 1.05), (Number("low"), Number("high")));
        string page = File.ReadAllText(_folder.PathOf("runs/history.html"));
        Assert.Contains("search direct: capacity, updates/s", page, StringComparison.Ordinal);
        Assert.Matches(@"\[3[^\]]+, 4[^\]]+\] at 2026-03-01", page);
    }

    [Fact]
    public void History_SearchWithItsRuns_IsOnePoint()
    {
        WriteAll(2, _ => 4_000_000);
        string inner = Directory.CreateDirectory(_folder.PathOf("runs/night-0/01-100000")).FullName;
        Assert.Null(RunFile.TryWrite(RunFolder.Open(inner, "x", DateTime.UtcNow, []), SampleFigures.Run));
        Assert.Equal(0, Run());
        Assert.StartsWith("search direct  2 searches, ", $"{_output}", StringComparison.Ordinal);
        Assert.Equal(0, Run("--keep", "1"));
        Assert.True(File.Exists(Path.Combine(inner, "run.json")));
    }

    [Fact]
    public void History_SearchesWithOtherThresholdsOrWithoutAnAnswer_AreNoPointsOfTheSeries()
    {
        WriteAll(3, _ => 4_000_000);
        Write(3, 4_000_000, search => search["asked"]!["until"] = new JsonArray("p99<9ms"));
        Write(4, 4_000_000, search => search["verdict"] = "UNCONFIRMED");
        Assert.Equal(0, Run());
        Assert.StartsWith("search direct 1  3 searches, ", $"{_output}", StringComparison.Ordinal);
        Assert.Contains("\nsearch direct 2  1 search, ", $"{_output}", StringComparison.Ordinal);
        Assert.Contains("\nleft out  night-4: UNCONFIRMED\n", $"{_output}", StringComparison.Ordinal);
    }

    private int Run(params string[] more)
    {
        _output.GetStringBuilder().Clear();
        return PerfTools.Program.Run(["history", _folder.PathOf("runs"), .. more], _output, _error);
    }

    // A search a night, each with noise of two percent.
    private void WriteAll(int count, Func<int, double> capacity)
    {
        for (int night = 0; night < count; night++)
            Write(night, capacity(night) * (0.98 + (0.04 * _random.NextDouble())), _ => { });
    }

    private void Write(int night, double capacity, Action<JsonNode> change)
    {
        JsonNode search = JsonNode.Parse(Recorded)!;
        int value = (int)Math.Round(capacity / 1_000) * 1_000;
        search["verdict"] = "FOUND";
        search["startUtc"] = new DateTime(2026, 3, 1, 2, 0, 0, DateTimeKind.Utc).AddDays(night);
        (search["capacity"]!["value"], search["capacity"]!["low"], search["capacity"]!["high"]) = (value, value * 0.95, value * 1.05);
        search["capacity"]!["confirmed"] = true;
        change(search);
        Directory.CreateDirectory(_folder.PathOf($"runs/night-{night}"));
        File.WriteAllText(_folder.PathOf($"runs/night-{night}/search.json"), search.ToJsonString());
    }
}
