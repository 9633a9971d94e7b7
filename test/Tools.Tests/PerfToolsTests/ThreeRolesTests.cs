using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>A scenario of three roles and two links is one more object; its roles here are shell scripts.</summary>
public sealed class ThreeRolesTests : IDisposable
{
    private static readonly Scenario Chain = new()
    {
        Name = "chain",
        Summary = "provider, hub, consumer",
        Title = "Provider to consumer, by a hub",
        Load = o => $"{o.Items} items",
        RateUnit = "upd/s",
        Roles =
        [
            CreateRole("provider", RoleEnding.OnRequest, (arguments, _) => arguments.Set("-p", 0)) with { ReadyLine = Role.ListeningLine },
            CreateRole("hub", RoleEnding.OnRequest,
                (arguments, context) => arguments.Set("-upstream", context.Addresses["provider"].ToString())) with
            {
                ReadyLine = "Serving on ",
                ConnectsTo = ["provider"],
            },
            CreateRole("consumer", RoleEnding.ByItself,
                (arguments, context) => arguments.SetPeer(context.Addresses["hub"])) with { ConnectsTo = ["hub"] },
        ],
        Links =
        [
            new("provider", "hub", "updates") { Sent = ["sent"], Received = ["received"], NotSent = ["notSent"] },
            new("hub", "consumer", "updates") { Sent = ["sent"], Received = ["received"], Lost = ["dropped"] },
        ],
        Figures = new()
        {
            Measured = new()
            {
                Scenario = "chain",
                MeasuredBy = ["consumer"],
                Sender = "provider",
                IntervalRate = "rate",
                IntervalLatency = "latency",
            },
            Rate = "rate",
            Seconds = "seconds",
            Latency = "latency",
            RateOption = "-updateRate",
            PackOption = "-pack",
        },
        OwnOptions = [ScenarioRows.AddItems],
    };

    private readonly TestFolder _test = new();
    private readonly RunFolder _folder;
    private readonly StringWriter _output = new();

    public ThreeRolesTests() => _folder = RunFolder.Open(_test.PathOf("run"), "chain", DateTime.UtcNow, []);

    [Fact]
    public void Run_AllWell_EachRoleGetsThePortOfTheOneBefore()
    {
        RunDocument result = Run(hubSent: 980);
        Assert.Equal(("OK", ExitCode.Success), (result.Verdict, (ExitCode)result.ExitCode));
        Assert.Equal(["provider", "hub", "consumer"], result.Roles.Select(role => role.Name));
        Assert.Equal([143, 143, 0], result.Roles.Select(role => role.ExitCode));
        Assert.StartsWith("-p 0 ", Told("provider"), StringComparison.Ordinal);
        Assert.StartsWith("-upstream 127.0.0.1:4711 ", Told("hub"), StringComparison.Ordinal);
        Assert.StartsWith("-h 127.0.0.1 -p 4712 ", Told("consumer"), StringComparison.Ordinal);
        Assert.StartsWith("Provider to consumer, by a hub, loopback port 4711: 10000 items, ", _output.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Run_SomeNotSent_ComparesBothLinksAndShowsThem()
    {
        RunDocument result = Run(hubSent: 980, notSent: 20);
        Assert.Equal(
            [("provider", "hub", 1000, 1000, true), ("hub", "consumer", 980, 975, true)],
            result.Links.Select(link => (link.From, link.To, link.Sent, link.Received, link.Balanced)));
        string[] expected =
        [
            "SLOW  updates from provider to hub 1,000 sent, 1,000 received",
            "    rate         1,000/s asked, 995/s reached",
            "    updates      hub to consumer: 980 sent, 975 received, 5 counted as lost",
            "    not sent     20 updates from provider to hub were due and never sent",
            "    latency us   no samples",
            "    CPU          provider 4.0 %, hub 7.0 %, consumer 5.0 % of one core",
            "    files        r/",
        ];
        Assert.Equal(expected, ClosingText.Create(result, "r/"));
    }

    [Fact]
    public void Create_NotPassedOn_IsNotCalledLost()
    {
        RunDocument run = Run(hubSent: 980, notSent: 20);
        LinkResult within = run.Links[1] with { From = "hub", To = "hub", What = "passed on" };
        IEnumerable<string> text = ClosingText.Create(run with { Links = [run.Links[0], within] }, "r/");
        Assert.Contains("    passed on    980 sent, 975 received, 5 for nobody, or left out", text);
    }

    [Fact]
    public void Run_SecondLinkUneven_IsFailedAndNamesIt()
    {
        RunDocument result = Run(hubSent: 981);
        Assert.Equal(("FAILED", ExitCode.Incomplete), (result.Verdict, (ExitCode)result.ExitCode));
        Assert.Equal("updates from hub to consumer do not add up: 981 sent, 975 received, 5 counted as lost", result.Reason);
    }

    [Fact]
    public void Run_ConnectionCutByTheHub_SaysSoBesideTheLoss()
    {
        RunDocument result = Run(hubSent: 980, cut: 1);
        Assert.Equal(("FAILED", ExitCode.Incomplete), (result.Verdict, (ExitCode)result.ExitCode));
        Assert.Equal(
            "consumer ended with exit code 5: consumer: connection lost; HubPerf cut a connection that read too slowly (-maxQueue, -slow)",
            result.Reason);
    }

    [Fact]
    public void Options_OfTheScenario_KnowItsRoles()
    {
        Assert.Equal(["-x"], OptionLines.Accept(Chain.Options, "--args hub=-x").ArgumentsOf("hub"));
        Assert.Equal("--args: hib: unknown role; did you mean hub?", OptionLines.Refuse(Chain.Options, "--args hib=-x"));
    }

    public void Dispose()
    {
        _output.Dispose();
        _test.Dispose();
    }

    private static Role CreateRole(string name, RoleEnding ending, Func<RoleArguments, RoleContext, RoleArguments> tell) => new()
    {
        Name = name,
        Tool = name,
        Ending = ending,
        AddArguments = tell,
    };

    private RunDocument Run(int hubSent, int notSent = 0, int cut = 0)
    {
        Dictionary<string, string> scripts = new()
        {
            ["provider"] = Serve("provider", "Listening on port 4711",
                $$$$"""{"final":true,"sent":1000,"notSent":{{{{notSent}}}},"resources":{"coreCpuPercent":{"avg":4}}}"""),
            ["hub"] = Serve("hub", "Serving on 4712",
                $$$$"""{"final":true,"sent":{{{{hubSent}}}},"received":1000,"overall":{"counts":{"connectionsCut":{{{{cut}}}}}},"resources":{"coreCpuPercent":{"avg":7}}}"""),
            ["consumer"] = Leave("consumer", """{"final":true,"received":975,"dropped":5,"rate":995,"seconds":1,"resources":{"coreCpuPercent":{"avg":5}}}""")
                + (cut > 0 ? "; echo 'consumer: connection lost' >&2; exit 5" : ""),
        };
        ScenarioRun run = new(Chain, new() { Rate = 1000 }, _folder, new RunScreen(new RunConsole(_output), null, Chain.RateUnit))
        {
            CreateCommand = (role, arguments) =>
            {
                File.WriteAllText(_folder.PathOf(role.Name + ".told"), string.Join(' ', arguments));
                return new RoleCommand(role.Title, "/bin/sh", ["-c", scripts[role.Name]]);
            },
        };
        return run.Run(StopRequest.None);
    }

    private string Told(string role) => File.ReadAllText(_folder.PathOf(role + ".told"));

    private string Leave(string role, string final) => $"echo '{final}' > '{_folder.PathOf(role + ".jsonl")}'";

    private string Serve(string role, string ready, string final) =>
        $"{Leave(role, final)}; echo '{ready}'; cat; exit 143";
}
