using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Sizing;

public sealed class SizeVerbTests : IDisposable
{
    // What the made-up system costs: a load that was never measured must come out by these.
    private const double Idle = 5, PerMessage = 1e-5, Fixed = 60, PerItem = 100.0 / 1_048_576;
    private const double MessageBytes = 150, ImageBytes = 400;
    private const double UserIdle = 2, PerDelivery = 1.5e-3, PerUser = 0.012, PerWatcher = 0.0004;

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void Size_OfLoadsThatWereNotMeasured_IsWhatTheSystemCosts()
    {
        WriteDirect();
        Assert.Equal(0, Run("--rate", "3M", "--items", "500k", "--rtt", "0.2ms", "--json", _folder.PathOf("size.json")));
        JsonElement size = ReadJson();
        foreach (JsonElement role in size.GetProperty("roles").EnumerateArray())
        {
            Assert.Equal((Idle + (3_000_000 * PerMessage)) / 100, role.GetProperty("cores").GetProperty("value").GetDouble(), 1e-6);
            Assert.Equal(Fixed + (500_000 * PerItem), role.GetProperty("megabytes").GetProperty("value").GetDouble(), 1e-6);
            Assert.Equal(1, role.GetProperty("threads").GetInt32());
        }

        Assert.Equal(MessageBytes, size.GetProperty("bytesPerMessage").GetDouble(), 1e-6);
        Assert.Equal(MessageBytes * 3_000_000 * 8 / 1e6, size.GetProperty("roles")[0].GetProperty("megabitsOut").GetDouble(), 1e-3);
        Assert.Equal(JsonValueKind.Null, size.GetProperty("roles")[1].GetProperty("megabitsOut").ValueKind);
        Assert.Equal(MessageBytes * 3_000_000 * 0.0002, size.GetProperty("bytesUnderWay").GetDouble(), 1e-3);
        Assert.Equal((500_000 / 500_000.0) + 0.0002, size.GetProperty("imageSeconds").GetDouble(), 1e-9);
    }

    [Fact]
    public void Size_Output_IsAsExpected()
    {
        WriteDirect();
        Write("broken", Direct(1_000_000, 10_000) with { Verdict = RunVerdict.Failed });
        Write("slow", Direct(1_000_000, 10_000, reached: 900_000));
        WriteUsers();
        Assert.Equal(0, Run("--rate", "4M", "--items", "500k", "--max-cpu", "20", "--markdown", _folder.PathOf("size.md")));
        ExpectedText.AssertEquals("size.txt", _output.ToString());
        ExpectedText.AssertEquals("size.md", File.ReadAllText(_folder.PathOf("size.md")));
        Assert.Equal(0, Run("--rate", "2k", "--users", "5000"));
        ExpectedText.AssertEquals("size-users.txt", _output.ToString());
        Assert.Equal(3, Run("--users", "5000", "--scenario", "direct"));
        Assert.EndsWith("runs: no run with a hub has this --scenario and these --with\n", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Size_Json_SaysWhatWasAskedAndWhatWasMeasured()
    {
        WriteDirect();
        Assert.Equal(0, Run("--rate", "3M", "--items", "500k", "--rtt", "0.2ms", "--max-cpu", "70", "--json", _folder.PathOf("size.json")));
        JsonElement size = ReadJson();
        Assert.Equal("""{"rate":3000000,"items":500000,"users":null,"userRate":null,"subscriptions":null,"rttMillis":0.2,"maxCpuPercent":70}""",
            size.GetProperty("asked").GetRawText().Replace("\n", "", StringComparison.Ordinal).Replace(" ", "", StringComparison.Ordinal));
        JsonElement measured = Assert.Single(size.GetProperty("measured").EnumerateArray());
        Assert.Equal(("direct", 4), (measured.GetProperty("scenario").GetString(), measured.GetProperty("runs").GetInt32()));
        JsonElement provider = measured.GetProperty("roles")[0];
        Assert.Equal("provider", provider.GetProperty("name").GetString());
        Assert.Equal([Idle, 100, MessageBytes, 100], // 1e-5 % of a core and 100 bytes
            ((string[])["idlePercent", "nanosPerMessage", "bytesPerMessage", "bytesPerItem"]).Select(name => Math.Round(provider.GetProperty(name).GetDouble(), 6)));
    }

    [Fact]
    public void Size_Users_AddToTheHub()
    {
        WriteUsers();
        Assert.Equal(0, Run("--rate", "2000", "--users", "10k", "--user-rate", "3", "--subscriptions", "100", "--json", _folder.PathOf("size.json")));
        JsonElement asked = ReadJson().GetProperty("asked");
        Assert.Equal([10_000, 3, 100], ((string[])["users", "userRate", "subscriptions"]).Select(name => asked.GetProperty(name).GetDouble()));
        JsonElement hub = ReadJson().GetProperty("roles")[0];
        Assert.Equal("hub", hub.GetProperty("name").GetString());
        Assert.Equal((UserIdle + (10_000 * 3 * PerDelivery)) / 100, hub.GetProperty("cores").GetProperty("value").GetDouble(), 1e-6);
        Assert.Equal(Fixed + (10_000 * (PerUser + (100 * PerWatcher))), hub.GetProperty("megabytes").GetProperty("value").GetDouble(), 0.01);
    }

    // What the hub needs without users is in the runs of the published load already, and is not counted twice.
    [Fact]
    public void Size_UsersOfAHubThatOtherRunsHaveToo_AddWhatUsersNeedAlone()
    {
        foreach ((int rate, int items) in ((int, int)[])[(200_000, 10_000), (1_000_000, 10_000), (500_000, 100_000)])
        {
            RunDocument direct = Direct(rate, items);
            Write($"hub-{rate}", direct with { Scenario = "hub-direct", Roles = [.. direct.Roles, direct.Roles[1] with { Name = "hub" }] });
        }

        WriteUsers();
        Assert.Equal(0, Run("--scenario", "hub-direct", "--rate", "2M", "--items", "50k", "--users", "10k", "--user-rate", "3", "--subscriptions", "100",
            "--json", _folder.PathOf("size.json")));
        JsonElement hub = ReadJson().GetProperty("roles").EnumerateArray().Single(role => role.GetProperty("name").GetString() == "hub");
        Assert.Equal((Idle + (2_000_000 * PerMessage) + (10_000 * 3 * PerDelivery)) / 100, hub.GetProperty("cores").GetProperty("value").GetDouble(), 1e-6);
        Assert.Equal(Fixed + (50_000 * PerItem) + (10_000 * (PerUser + (100 * PerWatcher))),
            hub.GetProperty("megabytes").GetProperty("value").GetDouble(), 0.01);
    }

    [Fact]
    public void Size_OneRateAndOneNumberOfItems_SaysWhatIsNotKnown()
    {
        Write("only", Direct(1_000_000, 10_000));
        Assert.Equal(0, Run("--rate", "500k", "--items", "20k"));
        Assert.Contains("one rate measured", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("memory of an item not known", _output.ToString(), StringComparison.Ordinal);
        Assert.Matches(@"provider +0\.08 +1 +- ", _output.ToString());
    }

    [Fact]
    public void Size_ExternalRole_IsLeftOutAndTheOtherSized()
    {
        foreach (int rate in (int[])[500_000, 1_000_000])
        {
            RunDocument run = Direct(rate, 10_000);
            Write($"{rate}", run with { Roles = [run.Roles[0], run.Roles[1] with { CpuCorePercent = null, MemoryMegabytes = null }] });
        }

        Write("spoilt", Direct(1_000_000, 10_000) with { Links = [] });
        Assert.Equal(0, Run());
        Assert.Matches("\n    provider +0.15 ", _output.ToString());
        Assert.DoesNotContain("consumer", _output.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("    left out   spoilt: no figures\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Size_RunsOfSeveralKinds_WantAChoice()
    {
        WriteDirect();
        Write("packed", Direct(1_000_000, 10_000, new ScenarioOptions { Pack = 50 }));
        Assert.Equal(2, Run());
        Assert.Equal("perftools: --with: runs differ in pack (1, 50); name one\n", _error.ToString());
        Assert.Equal(0, Run("--with", "pack=50"));
        Assert.StartsWith("SIZE  1,000,000 updates/s, 10,000 items: direct\n", _output.ToString(), StringComparison.Ordinal);
        Assert.Equal(3, Run("--with", "pack=7"));
        Assert.EndsWith("runs: no run has this --scenario and these --with\n", _error.ToString(), StringComparison.Ordinal);
        Write("hub", Direct(1_000_000, 10_000) with { Scenario = "hub-direct" });
        Assert.Equal(2, Run("--with", "pack=1"));
        Assert.Equal("perftools: --scenario: runs of direct, hub-direct are there; name one\n", _error.ToString());
    }

    [Theory]
    [InlineData("--rate 0", "--rate: '0' is not a number such as 3000, 500k or 2.5M")]
    [InlineData("--rate 3x", "--rate: '3x' is not a number such as 3000, 500k or 2.5M")]
    [InlineData("--rtt 3", "--rtt: '3' is not a time from 0 to 10 s such as 0.2ms, 150us or 1s")]
    [InlineData("--with pack", "--with: 'pack' is not name=value")]
    [InlineData("--max-cpu 101", "--max-cpu must be 1 to 100")]
    [InlineData("other", "size: name one folder")]
    public void Size_WrongCommandLine_IsTwo(string arguments, string expected)
    {
        Assert.Equal(2, Run(arguments.Split(' ')));
        Assert.Equal($"perftools: {expected}\n", _error.ToString());
    }

    [Fact]
    public void Size_NothingToMeasureBy_IsThree()
    {
        Directory.CreateDirectory(_folder.PathOf("runs"));
        Assert.Equal(3, Run());
        Assert.EndsWith("runs: no run that tells what a message costs\n", _error.ToString(), StringComparison.Ordinal);
        WriteDirect();
        Assert.Equal(3, Run("--users", "100"));
        Assert.EndsWith("runs: no run of users whose hub was measured; make one by: perftools run users-low\n", _error.ToString(), StringComparison.Ordinal);
    }

    private int Run(params string[] arguments)
    {
        _output.GetStringBuilder().Clear();
        _error.GetStringBuilder().Clear();
        return PerfTools.Program.Run(["size", _folder.PathOf("runs"), .. arguments], _output, _error);
    }

    private JsonElement ReadJson()
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(_folder.PathOf("size.json")));
        Assert.Equal("perftools-size-1", document.RootElement.GetProperty("format").GetString());
        return document.RootElement.Clone();
    }

    private void WriteDirect()
    {
        Write("1", Direct(200_000, 10_000));
        Write("2", Direct(1_000_000, 10_000));
        Write("3", Direct(2_000_000, 10_000));
        Write("deep/4", Direct(500_000, 100_000));
    }

    private void Write(string name, RunDocument run)
    {
        string folder = _folder.PathOf($"runs/{name}");
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(run));
    }

    private static RunDocument Direct(int rate, int items, ScenarioOptions? options = null, double? reached = null)
    {
        RunDocument run = SampleFigures.Run;
        double updates = rate * 10.0;
        RoleResult Role(string name, double? bytes) => run.Roles.First(role => role.Name == name) with
        {
            CpuCorePercent = Idle + (rate * PerMessage),
            MemoryMegabytes = Fixed + (items * PerItem),
            Figures = bytes is null ? [] :
                [new() { Name = "counts.bytesSent", Words = "bytes sent", Kind = "count", Unit = "bytes", Better = "none", Merge = "sum", Value = bytes }],
        };
        return run with
        {
            Inputs = DirectScenario.Direct.DescribeInputs((options ?? new()) with { Rate = rate, Items = items }),
            Figures = run.Figures! with { RateAsked = rate, RateReached = reached ?? rate, Images = new(items, items / 500_000.0) },
            Roles = [Role("provider", (updates * MessageBytes) + (items * ImageBytes)), Role("consumer", null)],
            Links = [SampleFigures.Link("updates", (long)updates, (long)updates), SampleFigures.Link("refreshes", items, items)],
            Machine = Machine,
        };
    }

    private void WriteUsers()
    {
        foreach (int subscriptions in (int[])[2, 100])
            Write($"users-{subscriptions}", Users(subscriptions, [500, 1_000, 2_000]));
    }

    private static RunDocument Users(int subscriptions, int[] steps) => SampleFigures.Run with
    {
        Scenario = "users-low",
        Inputs = new Dictionary<string, JsonElement>
        {
            ["parameters"] = JsonSerializer.SerializeToElement(new Dictionary<string, string>
            {
                ["subjects"] = "1000",
                ["subscriptions"] = subscriptions.ToString(System.Globalization.CultureInfo.InvariantCulture),
            }),
        },
        Steps = [.. steps.Select((users, i) => Step(i + 1, users, subscriptions))],
        Machine = Machine,
    };

    // each subscription brings an update every two seconds
    private static StepRow Step(int number, int users, int subscriptions)
    {
        double rate = users * subscriptions / 2.0;
        return new()
        {
            Scenario = "users-low",
            Variant = "base",
            Step = number,
            Utc = SampleFigures.Run.StartUtc,
            UsersAsked = users,
            UsersIn = users,
            Seconds = 4,
            Expected = rate * 4,
            Received = (long)(rate * 4),
            Samples = 1,
            SumMicros = 100,
            MinMicros = 100,
            MaxMicros = 100,
            Hub = new()
            {
                CpuPercent = UserIdle + (rate * PerDelivery),
                MemoryMegabytes = Fixed + (users * (PerUser + (subscriptions * PerWatcher))),
                Delivered = rate * 4,
                BytesOut = rate * 4 * 60,
            },
        };
    }

    private static MachineDescription Machine { get; } = new()
    {
        Processors = 8,
        ProcessorModel = "Model",
        OperatingSystem = "Linux",
        Architecture = "X64",
        Runtime = ".NET 10.0.0",
    };
}
