using System.Text.Json;
using System.Text.RegularExpressions;
using PerfTools.Editions;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>docs/run-json.md names the members of run.json, no more and no less.</summary>
public sealed partial class RunJsonDocumentationTests : IDisposable
{
    private static readonly string Text = File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "docs/run-json.md"));

    private readonly JsonDocument _direct = Write(DirectScenario.Direct);
    private readonly JsonDocument _transport = Write(TransportScenario.Transport);
    private readonly JsonDocument _posting = Write(HubScenarios.Posting);
    private readonly JsonDocument _roundtrip = Write(RoundtripScenario.Roundtrip);

    [Fact]
    public void WholeFile_NamesInTheDocumentation_AreThoseThatAreWritten() => AssertNames("# `run.json`", _direct.RootElement);

    [Fact]
    public void Inputs_NamesInTheDocumentation_AreThoseOfAllScenarios() => AssertNames(
        "## `inputs`",
        _direct.RootElement.GetProperty("inputs"), _transport.RootElement.GetProperty("inputs"), _posting.RootElement.GetProperty("inputs"),
        _roundtrip.RootElement.GetProperty("inputs"));

    [Fact]
    public void Figures_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        JsonElement figures = _direct.RootElement.GetProperty("figures");
        JsonElement roundTrips = _roundtrip.RootElement.GetProperty("figures");
        AssertNames("## `figures`", figures, roundTrips);
        AssertNames("## `roundTrips`", roundTrips.GetProperty("roundTrips")[0]);
        AssertNames("## `latencyMicros`, `sendLagMicros`", figures.GetProperty("latencyMicros"), figures.GetProperty("sendLagMicros"));
        Assert.Equal(["count", "seconds"], Names(figures.GetProperty("images")));
    }

    [Fact]
    public void Clock_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        using JsonDocument written = JsonDocument
            .Parse(RunFile.CreateText(SampleFigures.Run with { Figures = SampleFigures.Good with { Clock = SampleFigures.Clock } }));
        AssertNames("## `clock`", written.RootElement.GetProperty("figures").GetProperty("clock"));
    }

    [Fact]
    public void Clocks_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(SampleFigures.Run with
        {
            Clocks = [new() { Rank = 0, OffsetMicros = 0, ErrorMicros = 0 }],
            ClockChecks = [new() { Rank = 0, Against = 1, By = "probes", MinMicros = 1, MaxMicros = 2, StatedMicros = 3 }],
            Pairs = [SampleFigures.Run.Links[0]],
        }));
        AssertNames("## `clocks`", written.RootElement.GetProperty("clocks")[0]);
        AssertNames("## `clockChecks`", written.RootElement.GetProperty("clockChecks")[0]);
        Assert.Equal(Names(_direct.RootElement.GetProperty("links")[0]), Names(written.RootElement.GetProperty("pairs")[0]));
    }

    [Fact]
    public void RateSteps_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        RateStep step = new() { Utc = DateTime.UnixEpoch, RateAsked = 1, RateReached = 1, Seconds = 1, LatencyMicros = SampleFigures.Good.LatencyMicros };
        RunDocument run = SampleFigures.Run with
        {
            Figures = SampleFigures.Good with { RateSteps = [step] },
            Inputs = DirectScenario.Direct.DescribeInputs(new() { Schedules = new(RateSchedule.TryParseSteps("1000:3"), null) }),
        };
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(run));
        JsonElement figures = written.RootElement.GetProperty("figures"), inputs = written.RootElement.GetProperty("inputs");
        AssertNames("## `rateSteps`", figures.GetProperty("rateSteps")[0]);
        Assert.Equal(["rateProfile", "rateSteps"], Names(inputs).Except(Names(_direct.RootElement.GetProperty("inputs")))
            .Concat(Names(figures).Except(Names(_direct.RootElement.GetProperty("figures")))));
        Assert.Equal(["rateProfile", "rateSteps"], ReadTable("## Rates that change (`--steps`, `--ramp`)"));
    }

    [Fact]
    public void Placement_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        IEnumerable<string> inputs = DirectScenario.Direct.DescribeInputs(new() { BindsWorkers = true, IsSmooth = true }).Keys
            .Except(Names(_direct.RootElement.GetProperty("inputs")));
        Assert.Equal([.. inputs, "placement"], ReadTable("## Processors and bursts (`--bind`, `--smooth`)"));
    }

    [Fact]
    public void Editions_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        RunDocument run = SampleFigures.Run with
        {
            Inputs = DirectScenario.Direct.DescribeInputs(new() { Editions = new EditionOptions().WithTool("provider=x")! }),
            Roles = [SampleFigures.Run.Roles[0] with { Edition = "c", Outside = new(1, 2, 3) }],
            Links = [SampleFigures.Run.Links[0] with { UnderWay = 1 }],
        };
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(run));
        JsonElement root = written.RootElement, usual = _direct.RootElement;
        IEnumerable<string> names = Names(root.GetProperty("inputs")).Except(Names(usual.GetProperty("inputs")))
            .Concat(Names(root.GetProperty("roles")[0]).Except(Names(usual.GetProperty("roles")[0])))
            .Concat(Names(root.GetProperty("links")[0]).Except(Names(usual.GetProperty("links")[0])));
        Assert.Equal(names, ReadTable("## Programs of other editions (`--tool`)"));
    }

    [Theory]
    [InlineData("assertions")]
    [InlineData("roles")]
    public void List_NamesInTheDocumentation_AreThoseThatAreWritten(string list) =>
        AssertNames($"## `{list}`", [.. _direct.RootElement.GetProperty(list).EnumerateArray()]);

    [Fact]
    public void Links_NamesInTheDocumentation_AreThoseThatAreWritten()
    {
        RunDocument run = SampleFigures.Run with { Links = [SampleFigures.Run.Links[0] with { Unwatched = 1 }] };
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(run));
        AssertNames("## `links`", written.RootElement.GetProperty("links")[0]);
    }

    [Fact]
    public void Machine_NamesInTheDocumentation_AreThoseThatAreWritten() =>
        AssertNames("## `machine`", _direct.RootElement.GetProperty("machine"));

    [Fact]
    public void Values_OfEveryScenario_AreNamed()
    {
        Assert.Contains($"`{RunDocument.CurrentFormat}`", Text, StringComparison.Ordinal);
        foreach (Scenario scenario in ScenarioList.All)
        {
            IEnumerable<string> words = [scenario.Name, .. scenario.Roles.Select(role => OwnNumber().Replace(role.Name, "1")),
                .. scenario.Links.Select(link => link.What)];
            Assert.All(words, word => Assert.Contains($"`{word}`", Text, StringComparison.Ordinal));
        }
    }

    public void Dispose()
    {
        _direct.Dispose();
        _transport.Dispose();
        _posting.Dispose();
        _roundtrip.Dispose();
    }

    private static JsonDocument Write(Scenario scenario) =>
        JsonDocument.Parse(RunFile.CreateText(SampleFigures.Of(scenario)));

    private static void AssertNames(string heading, params JsonElement[] written) =>
        Assert.Equal(written.SelectMany(Names).Distinct().Order(), ReadTable(heading).Order());

    private static IEnumerable<string> Names(JsonElement element) => element.EnumerateObject().Select(member => member.Name);

    // The names in the first column of the table below a heading.
    private static IEnumerable<string> ReadTable(string heading) => Text.Split('\n')
        .SkipWhile(line => line != heading).Skip(1).TakeWhile(line => !line.StartsWith('#'))
        .Where(line => line.StartsWith("| `", StringComparison.Ordinal))
        .SelectMany(line => CodeSpan().Matches(line.Split('|')[1]).Select(match => match.Groups[1].Value));

    // The first of those that are numbered stands for all.
    [GeneratedRegex("[0-9]+$")]
    private static partial Regex OwnNumber();

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex CodeSpan();
}
