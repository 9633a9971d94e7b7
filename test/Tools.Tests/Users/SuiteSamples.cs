using System.Text.Json;
using PerfTools.Hosting.Options;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using PerfTools.Verdicts;

namespace Tools.Tests.Users;

/// <summary>A suite of five ramps in which all figures differ from each other.</summary>
internal static class SuiteSamples
{
    private static readonly DateTime Start = new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc);

    private static MachineDescription Machine { get; } = new()
    {
        Processors = 8,
        OperatingSystem = "Linux",
        Architecture = "X64",
        Runtime = ".NET",
        ForeignPercent = 31.5,
    };

    private static RankDescription Rank { get; } = new()
    {
        Rank = 0,
        Ranks = 1,
        Host = "host",
        Address = "10.0.0.1",
        Roles = ["all"],
        Utc = Start,
        MachineVendor = "Vendor, Inc.",
        MachineModel = "Model 7",
        ProcessorVendor = "GenuineIntel",
        ProcessorModel = "Intel(R) Xeon(R) Processor, cpu family 6, model 207",
        Processors = 8,
        NumaNodes = 2,
        MemoryMegabytes = 16_384,
        OperatingSystem = "Linux",
        Kernel = "6.1.0",
        NetworkCard = "eth0, ena, 25000 Mbit/s",
        MaxFiles = 131_072,
        LocalPorts = 28_232,
    };

    /// <summary>Low: all well, the machine busy in the last step; High: the last step too slow on a busy machine; two of its variants.</summary>
    public static IReadOnlyList<FinishedVariant> All { get; } =
    [
        Finish(0, "base", p => p, Row(0, "base", 1, 500, 1), Row(0, "base", 2, 1_000, 2), Row(0, "base", 3, 2_000, 3) with { ForeignPercent = 34.5 }),
        Finish(2, "base", p => p, Row(2, "base", 1, 100, 4), Row(2, "base", 2, 250, 5),
            Row(2, "base", 3, 500, 6) with { Received = 48_123, ForeignPercent = 48.25, LoginRetries = 17 }),
        Finish(2, "burst25", p => p with { BurstMax = 0.025 }, Row(2, "burst25", 1, 500, 7)),
        Finish(2, "burst50", p => p with { BurstMax = 0.05 }, Row(2, "burst50", 1, 500, 8) with { UsersCpuMax = 93.5, Lost = 3 }),
        Finish(2, "postRate-0.5", p => p with { PostRate = 0.5, Contributors = 12 },
            Row(2, "postRate-0.5", 1, 500, 9) with { Posts = new(909, 9_009_009, 90_909) }),
    ];

    /// <summary>All its steps.</summary>
    public static IReadOnlyList<StepRow> Steps { get; } = [.. All.SelectMany(done => done.Steps)];

    private static FinishedVariant Finish(
        int load, string name, Func<UsersParameters, UsersParameters> change, params IReadOnlyList<StepRow> steps)
    {
        UsersLoad own = UsersLoad.All[load];
        UsersVariant variant = new(own, name, change(own.Base) with { UsersProcesses = 2 },
            StepList.TryParse(string.Join(',', steps.Select(step => step.UsersAsked)))!);
        LinkResult[] links = [Link("sources", "hub", 10 + load), Link("hub", "users", 20 + load)];
        Verdict verdict = RampVerdict.Of(null, steps, links, null);
        return new(variant, $"{own.Name}-{name}", new RunDocument
        {
            Scenario = own.Name,
            Verdict = verdict.Result,
            Reason = verdict.Reason,
            ExitCode = (int)verdict.Code,
            StartUtc = Start,
            EndUtc = Start.AddSeconds(61),
            Inputs = new Dictionary<string, JsonElement>
            {
                ["rate"] = JsonSerializer.SerializeToElement(own.Base.SourceRate),
                ["variant"] = JsonSerializer.SerializeToElement(name),
                ["hubSessionThreads"] = JsonSerializer.SerializeToElement(4),
                ["hubSourceThreads"] = JsonSerializer.SerializeToElement(2),
            },
            Figures = null,
            Assertions = [],
            Roles = [Role("hub", "HubPerf", 0), Role("users-1", "UsersPerf", 3)],
            Links = links,
            Machine = Machine,
            Ranks = [Rank],
            Steps = steps,
            Capacity = RampCapacity.Find(steps, _ => true),
        });
    }

    private static StepRow Row(int load, string variant, int step, int users, int k) => new()
    {
        Scenario = UsersLoad.All[load].Name,
        Variant = variant,
        Step = step,
        Utc = Start.AddSeconds(10 * k),
        UsersAsked = users,
        UsersIn = users,
        Seconds = 2,
        Expected = users * UsersLoad.All[load].Base.UserRate * 2,
        Received = (long)(users * UsersLoad.All[load].Base.UserRate * 2) + k,
        Samples = (1_000 * k) + 11,
        SumMicros = ((1_000 * k) + 11) * ((100 * k) + 12L),
        MinMicros = (10 * k) + 3,
        MaxMicros = (10_000 * k) + 14,
        P50 = (100 * k) + 15,
        P90 = (200 * k) + 16,
        P99 = (300 * k) + 17,
        P999 = k % 2 == 0 ? null : (400 * k) + 18,
        UsersCpuMax = k + 0.25,
        ForeignPercent = k + 1.5,
        SendLagP99 = (500 * k) + 19,
        Hub = new()
        {
            CpuPercent = k + 30.5,
            MemoryMegabytes = k + 60.25,
            UpdatesIn = (1_000 * k) + 20,
            Delivered = (2_000 * k) + 21,
            Sends = (700 * k) + 22,
            BytesOut = (3_000_000 * k) + 23,
            BurstMicros = variant == "base" ? 0 : 25_000 + k,
            QueuedBytesMax = (100 * k) + 24,
        },
    };

    private static LinkResult Link(string from, string to, int count) => new()
    {
        From = from,
        To = to,
        What = "updates",
        Sent = count * 1_001,
        Received = count * 1_001,
        Lost = 0,
        NotSent = 0,
        Comparable = true,
    };

    private static RoleResult Role(string name, string tool, int threads) => new()
    {
        Name = name,
        Tool = tool,
        Command = $"{tool} -option",
        ExitCode = threads == 0 ? 143 : 0,
        CpuCorePercent = 12.5 + threads,
        MemoryMegabytes = 70 + threads,
        Files = new($"{name}.log", $"{name}.jsonl", name),
        Final = JsonSerializer.SerializeToElement(new { threads = Enumerable.Repeat(new { }, threads) }),
    };
}
