using System.Collections.Immutable;
using ConsPerf;
using HubPerf;
using LatencyPerf.Options;
using NIProvPerf;
using PerfCommon.Workers;
using PerfTools.Hosting.CommandLine;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using ProvPerf;
using TransportPerf;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary><c>--bind auto</c> and <c>--smooth</c>: the arguments of the roles.</summary>
public sealed class WorkerBindingTests : IDisposable
{
    private const string OneHub = "--hub|-sessionThreads 1 -sourceThreads 0";
    private const string TwoAndOneHub = "--hub|-sessionThreads 2 -sourceThreads 1";

    private readonly TestFolder _test = new();

    public void Dispose() => _test.Dispose();

    [Fact]
    public void Assign_EnoughProcessors_GivesEachWorkerItsOwn()
    {
        ScenarioOptions options = new() { BindsWorkers = true };
        Assert.Equal(["provider 4", "consumer 6"], Assign(DirectScenario.Direct, options, [4, 6, 7]));
        Assert.Equal(["provider 0,1", "consumer 2,3"], Assign(DirectScenario.Direct, options with { Threads = 2 }, [0, 1, 2, 3]));
        ScenarioOptions hub = options.WithArguments("hub", ["-sessionThreads", "2", "-sourceThreads", "1"]);
        Assert.Equal(["provider 0", "hub 1,2,3", "consumer 4"], Assign(HubScenarios.Direct, hub, [0, 1, 2, 3, 4]));
        ScenarioOptions external = options with { External = ImmutableDictionary<string, HostAddress>.Empty.Add("provider", new("far", 1)) };
        Assert.Equal(["consumer 4"], Assign(DirectScenario.Direct, external, [4]));
    }

    [Fact]
    public void Assign_TooFewOrNotAsked_BindsNobody()
    {
        ScenarioOptions options = new() { BindsWorkers = true };
        Assert.Empty(Assign(DirectScenario.Direct, options, [3]));
        Assert.Equal("Warning: --bind auto: 2 workers need a processor each, 1 may be used; the workers are not bound.",
            WorkerBinding.FindShortage(DirectScenario.Direct, options, [3]));
        Assert.Empty(Assign(DirectScenario.Direct, new(), [0, 1, 2]));
        Assert.Null(WorkerBinding.FindShortage(DirectScenario.Direct, new(), [0]));
    }

    // The processors that may be used, and what each role reads from its arguments: -1 is a thread that is not pinned.
    [Theory]
    [InlineData("direct", "", "4,6", "provider 4; consumer 6")]
    [InlineData("direct", "", "4,6,7", "provider 4; consumer 6")]
    [InlineData("direct", "", "4", "provider -1; consumer -1")]
    [InlineData("direct", "--threads|2", "4,6,7,8", "provider 4,6; consumer 7,8")]
    [InlineData("direct", "--threads|2", "4,6,7", "provider -1,-1; consumer -1,-1")]
    [InlineData("hub-direct", OneHub, "4,6,7", "provider 4; hub 6; consumer 7")]
    [InlineData("hub-direct", OneHub, "4,6,7,8", "provider 4; hub 6; consumer 7")]
    [InlineData("hub-direct", OneHub, "4,6", "provider -1; hub -1; consumer -1")]
    [InlineData("ni-hub", TwoAndOneHub, "4,6,7,8,9", "hub 4,6,7; publisher 8; consumer 9")]
    [InlineData("ni-hub", TwoAndOneHub, "4,6,7,8", "hub -1,-1,-1; publisher -1; consumer -1")]
    [InlineData("posting", OneHub, "4,6,7", "hub 4; publisher 6; consumer 7")]
    [InlineData("posting", OneHub + "|--no-provider", "4,6", "hub 4; consumer 6")]
    [InlineData("posting", OneHub, "4,6", "hub -1; publisher -1; consumer -1")]
    [InlineData("transport", "", "4,6", "server 4; client 6")]
    [InlineData("transport", "", "4", "server -1; client -1")]
    [InlineData("reflect", "", "4,6,7", "server 4; client 6")]
    [InlineData("reflect", "", "4", "server -1; client -1")]
    [InlineData("roundtrip", "", "4,6", "publisher 4; subscriber1 6")]
    [InlineData("roundtrip", "--subscribers|2", "4,6,7", "publisher 4; subscriber1 6; subscriber2 7")]
    [InlineData("roundtrip", "--subscribers|2", "4,6", "publisher -1; subscriber1 -1; subscriber2 -1")]
    public void Arguments_Bound_PinEachWorkerWhereThereAreEnough(string name, string more, string usable, string expected)
    {
        Scenario scenario = Find(name);
        ScenarioOptions options = Parse(scenario, more);
        int[] processors = [.. usable.Split(',').Select(one => int.Parse(one, null))];
        IReadOnlyDictionary<string, IReadOnlyList<int>> assigned = WorkerBinding.Assign(scenario, options, processors);
        Assert.Equal(expected, string.Join("; ", scenario.RolesOf(options).Select(role =>
            $"{role.Name} {string.Join(',', Read(role.Tool, Tell(scenario, role.Name, options, assigned.GetValueOrDefault(role.Name, []))))}")));
        Assert.Equal(expected.Contains("-1", StringComparison.Ordinal), WorkerBinding.FindShortage(scenario, options, processors) is not null);
    }

    [Fact]
    public void Rows_OfTheTableAbove_HaveEveryScenario() => Assert.Equal(
        ScenarioList.All.Select(scenario => scenario.Name).Order(),
        typeof(WorkerBindingTests).GetMethod(nameof(Arguments_Bound_PinEachWorkerWhereThereAreEnough))!
            .GetCustomAttributes(typeof(InlineDataAttribute), false).Cast<InlineDataAttribute>().Select(row => (string)row.Data[0]!).Distinct().Order());

    [Theory]
    [InlineData("direct", "provider", "-bindThread 5")]
    [InlineData("direct", "consumer", "-bindThread 5")]
    [InlineData("transport", "server", "-bindThread 5")]
    [InlineData("transport", "client", "-bindThread 5")]
    [InlineData("reflect", "client", "-bindThread 5")]
    [InlineData("ni-hub", "publisher", "-bindThread 5")]
    [InlineData("roundtrip", "publisher", "-bindThread 5")]
    [InlineData("roundtrip", "subscriber1", "-bindThread 5")]
    public void Tell_OneProcessor_PinsTheWorker(string scenario, string role, string expected) =>
        Assert.Contains($" {expected} ", Tell(Find(scenario), role, new(), [5]), StringComparison.Ordinal);

    [Fact]
    public void Tell_SeveralProcessors_PinsThemInOrder()
    {
        Assert.Contains(" -threads 5,7 ", Tell(DirectScenario.Direct, "provider", new() { Threads = 2 }, [5, 7]), StringComparison.Ordinal);
        ScenarioOptions options = new ScenarioOptions().WithArguments("hub", ["-sessionThreads", "2", "-sourceThreads", "1"]);
        string hub = Tell(HubScenarios.NonInteractive, "hub", options, [5, 7, 9]);
        Assert.Contains(" -bindSession 5,7 -bindSource 9 ", hub, StringComparison.Ordinal);
        string shared = Tell(HubScenarios.NonInteractive, "hub",
            new ScenarioOptions().WithArguments("hub", ["-sourceThreads", "0", "-sessionThreads", "1"]), [5]);
        Assert.Contains(" -bindSession 5 ", shared, StringComparison.Ordinal);
        Assert.DoesNotContain("-bindSource", shared, StringComparison.Ordinal);
    }

    [Fact]
    public void Tell_Unbound_SaysNothingOfProcessors()
    {
        foreach (Scenario scenario in ScenarioList.All)
            Assert.All(scenario.Roles, role => Assert.DoesNotContain("-bind", Tell(scenario, role.Name, new(), []), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("-threads 2", "-threads")]
    [InlineData("-bindThread 1", "-bindThread")]
    public void Parse_BoundByTheUserToo_IsRefused(string own, string named)
    {
        Assert.Equal($"--bind auto cannot be combined with {named} of the provider",
            DirectScenario.Direct.Options.Parse(["--bind", "auto", "--prov", own], null).Problem);
        Assert.Null(DirectScenario.Direct.Options.Parse(["--bind", "none", "--prov", own], null).Problem);
    }

    [Fact]
    public void Inputs_BoundAndSmooth_SayBoth()
    {
        ScenarioOptions options = DirectScenario.Direct.Options.Parse(["--bind", "auto", "--smooth"], null).Options!;
        Assert.Equal(["bind", "smooth"],
            DirectScenario.Direct.DescribeInputs(options).Keys.Except(DirectScenario.Direct.DescribeInputs(new()).Keys));
        Assert.Equal("auto", DirectScenario.Direct.DescribeInputs(options)["bind"].GetString());
    }

    [Theory]
    [InlineData(1_000_000, "-updateRate 1000000 -latencyUpdateRate 1000 -tickRate 10000 ")]
    [InlineData(4_000, "-updateRate 4000 -latencyUpdateRate 1000 -tickRate 4000 ")]
    [InlineData(1_000, "-updateRate 1000 -latencyUpdateRate 1000 -maxPackCount")]
    public void Tell_Smooth_RaisesTheTicksAsFarAsTheRateGoes(int rate, string expected)
    {
        ScenarioOptions options = new() { IsSmooth = true, Rate = rate };
        Assert.Contains(expected, Tell(DirectScenario.Direct, "provider", options, []), StringComparison.Ordinal);
        Assert.DoesNotContain("-tickRate", Tell(DirectScenario.Direct, "consumer", options, []), StringComparison.Ordinal);
    }

    [Fact]
    public void Tell_SmoothPosts_RaisesThoseOfTheConsumer() => Assert.Contains(
        "-tickRate 10000 -postingRate 20000 -postingLatencyRate 1000",
        Tell(DirectScenario.Direct, "consumer", new() { IsSmooth = true, Posting = 20_000 }, []), StringComparison.Ordinal);

    [Theory]
    [InlineData("0-3,8,10-11", "0,1,2,3,8,10,11")]
    [InlineData("\t5", "5")]
    [InlineData("", null)]
    [InlineData("3-1", null)]
    [InlineData("1-2-3", null)]
    [InlineData("a", null)]
    public void TryParse_ListOfProcessors_HasEachOfThem(string text, string? expected) =>
        Assert.Equal(expected, UsableProcessors.TryParse(text) is { } processors ? string.Join(',', processors) : null);

    [Fact]
    public void Find_HereAndNow_IsWhatTheRuntimeMayUse() => Assert.True(UsableProcessors.Find().Count >= Environment.ProcessorCount);

    private static IEnumerable<string> Assign(Scenario scenario, ScenarioOptions options, IReadOnlyList<int> usable) =>
        WorkerBinding.Assign(scenario, options, usable).Select(role => $"{role.Key} {string.Join(',', role.Value)}");

    // The words that follow --bind auto, with bars between them.
    private static ScenarioOptions Parse(Scenario scenario, string more)
    {
        ParsedCommandLine<ScenarioOptions> parsed = scenario.Options.Parse(["--bind", "auto", .. more.Split('|', StringSplitOptions.RemoveEmptyEntries)], null);
        Assert.Null(parsed.Problem);
        return scenario.Complete(parsed.Options!);
    }

    // The processors of a role's threads, as its program reads them.
    private static IReadOnlyList<int> Read(string tool, string line) => tool switch
    {
        "ProvPerf" => OptionLines.Accept(ProvPerfOptionTable.Instance, line).Run.Threads.Processors,
        "NIProvPerf" => OptionLines.Accept(NIProvPerfOptionTable.Instance, line).Run.Threads.Processors,
        "ConsPerf" => OptionLines.Accept(ConsPerfOptionTable.Instance, line).Run.Threads.Processors,
        "HubPerf" => OptionLines.Accept(HubPerfOptionTable.Instance, line).Threads.Processors,
        "TransportPerf" => OptionLines.Accept(TransportPerfOptionTable.Instance, line).Run.Threads.Processors,
        _ => [OptionLines.Accept(LatencyPerfOptionTable.Instance, line).Run.BindThread ?? ThreadBinding.Unbound],
    };

    private static Scenario Find(string name) => ScenarioList.All.Single(scenario => scenario.Name == name);

    private string Tell(Scenario scenario, string role, ScenarioOptions options, IReadOnlyList<int> processors)
    {
        RunFolder folder = RunFolder.Open(_test.PathOf("r"), "direct", DateTime.UtcNow, []);
        Dictionary<string, HostAddress> addresses = scenario.Roles.ToDictionary(one => one.Name, _ => new HostAddress("localhost", 4711));
        RoleContext context = new(options, folder, addresses, 10) { Processors = processors };
        return string.Join(' ', scenario.Roles.Single(one => one.Name == role).CreateArguments(context)) + " ";
    }
}
