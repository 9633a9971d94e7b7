using System.Text.Json;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Verdicts;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The circumstances of a run as its roles' final lines have them.</summary>
[Trait("Category", "Fast")]
public class RunCircumstancesTests
{
    private static readonly Dictionary<string, JsonElement> Finals = new()
    {
        ["provider"] = Parse("""{"resources":{"memoryMegabytes":{"max":120.5}},"process":{"gcPauseMillis":7}}"""),
        ["consumer"] = Parse("""{"resources":{"memoryMegabytes":{"max":30}},"process":{"gcPauseMillis":11.5}}"""),
        ["consumer2"] = Parse("{}"),
    };

    [Theory]
    [InlineData("", 150.5)]
    [InlineData("consumer", 120.5)] // on another machine
    [InlineData("provider", 30)]
    public void ReadCircumstances_OfRoles_AddsTheMemoryOfThoseOnThisMachine(string elsewhere, double megabytes)
    {
        SlowEvidence read = Read(DirectScenario.Direct, new(), figures: null, elsewhere);
        Assert.Equal((megabytes, ThisMachine.Description.CgroupMemoryMegabytes), (read.RolesMegabytes, read.AllowedMegabytes));
        Assert.Equal([("provider", 7), ("consumer", 11.5), ("consumer2", 0)], read.Pauses);
        Assert.Equal((0, null), (read.SteadySeconds, read.Images));
        Assert.InRange(read.StolenPercent ?? 0, 0, 100);
    }

    [Fact]
    public void ReadCircumstances_OfFigures_HasTheirImagesAndTheRateOfAllConnections()
    {
        RunFigures figures = new() { RateAsked = 1, RateReached = 2, SteadySeconds = 3, LatencyMicros = null, SendLagMicros = null, Images = new(50, 0.5) };
        ScenarioOptions options = new ScenarioOptions().WithArguments("consumer", ["-requestRate", "2000", "-threads", "3"]);
        SlowEvidence read = Read(DirectScenario.Direct, options, figures);
        Assert.Equal((3, new ImageFigures(50, 0.5), 6_000, MachineTraits.CongestionControl),
            (read.SteadySeconds, read.Images, read.RequestRate, read.CongestionControl));
        Assert.Equal(500_000, Read(DirectScenario.Direct, new(), figures).RequestRate);
        Assert.Null(Read(TransportScenario.Transport, new(), figures: null).RequestRate); // it requests nothing
    }

    private static SlowEvidence Read(Scenario scenario, ScenarioOptions options, RunFigures? figures, string elsewhere = "") =>
        new FigureReader(scenario, options).ReadCircumstances(Finals, figures, new MachineLoad(), role => role != elsewhere);

    private static JsonElement Parse(string text)
    {
        using JsonDocument document = JsonDocument.Parse(text);
        return document.RootElement.Clone();
    }
}
