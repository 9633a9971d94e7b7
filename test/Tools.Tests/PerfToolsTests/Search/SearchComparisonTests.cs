using System.Text.Json;
using System.Text.Json.Nodes;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>Two searches: capacity by intervals, curves load by load.</summary>
public sealed class SearchComparisonTests : IDisposable
{
    private static readonly string Recorded = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Search", "Expected", "search.json"));
    private readonly TestFolder _folder = new();

    [Theory]
    [InlineData(4_240_000, 4_038_751, 4_593_490, "same")]
    [InlineData(4_500_000, 4_400_000, 4_600_000, "same")]
    [InlineData(4_700_000, 4_600_000, 4_800_000, "better")]
    [InlineData(3_900_000, 3_800_000, 4_000_000, "worse")]
    public async Task Compare_Intervals_TellWhatChanged(int value, double low, double high, string word)
    {
        Write("a", _ => { });
        Write("b", search => SetCapacity(search, value, low, high));
        JsonElement result = await Compare(0);
        Assert.Equal("perftools-search-comparison-1", result.GetProperty("format").GetString());
        JsonElement capacity = result.GetProperty("figures")[0];
        Assert.Equal(("capacity", word, value),
            (capacity.GetProperty("name").GetString(), capacity.GetProperty("word").GetString(), capacity.GetProperty("b").GetInt32()));
        Assert.Equal(word, result.GetProperty("verdict").GetString());
    }

    [Theory]
    [InlineData("rate<-5%", 4_000_000, 0)] // overlaps: noise never fails
    [InlineData("rate<-5%", 3_000_000, 6)]
    [InlineData("rate<-50%", 3_000_000, 0)]
    [InlineData("rate>+5%", 9_000_000, 6)]
    public async Task Compare_Fail_IsOfWhatIsBeyondTheIntervals(string limit, int value, int expected)
    {
        Write("a", _ => { });
        Write("b", search => SetCapacity(search, value, value * 0.95, value * 1.05));
        (int code, _, string error) = await PerfToolsRuns.Run("compare", _folder.PathOf("a"), _folder.PathOf("b"), "--fail", limit);
        Assert.True(code == expected, $"{code} {error}");
    }

    [Fact]
    public async Task Compare_Curves_AreComparedLoadByLoad()
    {
        Write("a", search => search["curve"] = Curve(search, (10, 400_000, 50, 100, 20), (50, 2_000_000, 60, 200, 50), (90, 3_800_000, 80, 400, 90)));
        Write("b", search => search["curve"] = Curve(search, (10, 410_000, 55, 130, 25), (50, 2_500_000, 60, 200, 50), (90, 3_800_000, 80, 300, 90)));
        JsonElement[] figures = [.. (await Compare(0)).GetProperty("figures").EnumerateArray().Skip(1)];
        Assert.Equal(
            ["10 p50 same", "10 p99 worse", "10 cpu worse", "50 p50 not comparable", "50 p99 not comparable", "50 cpu not comparable", "90 p50 same",
                "90 p99 better", "90 cpu same"],
            figures.Select(figure => $"{figure.GetProperty("atPercent")} {figure.GetProperty("name").GetString()} {figure.GetProperty("word").GetString()}"));
        Assert.Equal("another load", figures[3].GetProperty("reason").GetString());
    }

    [Theory]
    [InlineData("asked.until.0", "p99<2ms")]
    [InlineData("inputs.connection", "encrypted")]
    [InlineData("machine.operatingSystem", "another OS")]
    [InlineData("scenario", "hub-direct")]
    public async Task Compare_OtherConditions_AreNamedAndNothingIsCompared(string path, string value)
    {
        Write("a", _ => { });
        Write("b", search => Set(search, path, value));
        JsonElement result = await Compare(0);
        Assert.Equal("not comparable", result.GetProperty("verdict").GetString());
        Assert.Contains(value, Assert.Single(result.GetProperty("differences").EnumerateArray()).GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compare_OtherRateOrBudget_IsNoDifference()
    {
        Write("a", _ => { });
        Write("b", search => (search["inputs"]!["rate"], search["asked"]!["budgetSeconds"]) = (5, 600));
        Assert.Equal("same", (await Compare(0)).GetProperty("verdict").GetString());
    }

    [Fact]
    public async Task Compare_NothingFound_IsNotComparable()
    {
        Write("a", _ => { });
        Write("b", search => (search["capacity"]!["value"], search["capacity"]!["low"]) = (null, null));
        Assert.Equal("B found nothing", (await Compare(0)).GetProperty("figures")[0].GetProperty("reason").GetString());
    }

    [Theory]
    [InlineData("{}", "format (none) found, perftools-search-1 expected")]
    [InlineData("{", "not as perftools writes it")]
    [InlineData("{\"format\": \"perftools-search-1\"}", "not as perftools writes it")]
    public async Task Compare_BrokenFile_IsRefused(string text, string problem)
    {
        Write("a", _ => { });
        Directory.CreateDirectory(_folder.PathOf("b"));
        File.WriteAllText(_folder.PathOf("b/search.json"), text);
        (int code, _, string error) = await PerfToolsRuns.Run("compare", _folder.PathOf("a"), _folder.PathOf("b"));
        Assert.Equal(3, code);
        Assert.Contains(problem, error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compare_FailOfAnotherFigure_IsRefused()
    {
        Write("a", _ => { });
        Write("b", _ => { });
        (int code, _, string error) = await PerfToolsRuns.Run("compare", _folder.PathOf("a"), _folder.PathOf("b"), "--fail", "p99>+5%");
        Assert.Equal((2, "perftools: compare: --fail: of searches only rate can be named, not p99\n"), (code, error));
    }

    public void Dispose() => _folder.Dispose();

    private static void SetCapacity(JsonNode search, int value, double low, double high) =>
        (search["capacity"]!["value"], search["capacity"]!["low"], search["capacity"]!["high"]) = (value, low, high);

    private static void Set(JsonNode node, string path, string value)
    {
        string[] steps = path.Split('.');
        foreach (string step in steps[..^1])
            node = node[step]!;
        if (node is JsonArray list)
            list[int.Parse(steps[^1], System.Globalization.CultureInfo.InvariantCulture)] = value;
        else
            node[steps[^1]] = value;
    }

    private static JsonObject Curve(JsonNode search, params (int Percent, int Value, double P50, double P99, double Cpu)[] points)
    {
        JsonNode run = search["runs"]!.AsArray().First(run => run!["figures"] is not null)!;
        JsonArray all = [];
        foreach ((int percent, int value, double p50, double p99, double cpu) in points)
        {
            JsonNode copy = run.DeepClone();
            (copy["value"], copy["dropped"], copy["figures"]!["p50Micros"], copy["figures"]!["p99Micros"]) = (value, null, p50, p99);
            copy["figures"]!["roles"] = new JsonArray(new JsonObject { ["name"] = "consumer", ["cpuCorePercent"] = cpu, ["memoryMegabytes"] = 60 });
            all.Add(new JsonObject { ["percent"] = percent, ["run"] = copy });
        }

        return new JsonObject { ["kneePercent"] = null, ["kneeValue"] = null, ["points"] = all };
    }

    private void Write(string name, Action<JsonNode> change)
    {
        JsonNode search = JsonNode.Parse(Recorded)!;
        change(search);
        Directory.CreateDirectory(_folder.PathOf(name));
        File.WriteAllText(_folder.PathOf(name + "/search.json"), search.ToJsonString());
    }

    private async Task<JsonElement> Compare(int expected)
    {
        string json = _folder.PathOf("c.json"), page = _folder.PathOf("c.html"), table = _folder.PathOf("c.md");
        (int code, string output, string error) = await PerfToolsRuns.Run(
            "compare", _folder.PathOf("a"), _folder.PathOf("b"), "--json", json, "--html", page, "--markdown", table);
        Assert.True(code == expected, $"{code}: {error}");
        JsonElement result = JsonElement.Parse(File.ReadAllText(json));
        string word = result.GetProperty("verdict").GetString()!.ToUpperInvariant();
        Assert.EndsWith(word + "\n", output, StringComparison.Ordinal);
        Assert.Contains($"<b id=verdict>{word}</b>", File.ReadAllText(page), StringComparison.Ordinal);
        Assert.Contains($"**{word}**", File.ReadAllText(table), StringComparison.Ordinal);
        return result;
    }
}
