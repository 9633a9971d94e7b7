using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The figures of a successful run.</summary>
internal static class SampleFigures
{
    public static RunClock Clock { get; } = new()
    {
        Pair = "host:14050",
        Transport = "udp",
        Exchanges = 5_000,
        Lost = 3,
        MinRttMicros = 15,
        OffsetNanos = -5_000_000_000_123,
        UsedMinNanos = -5_000_000_000_456,
        UsedMaxNanos = -5_000_000_000_122,
        DriftPpm = 1.5,
        BoundMicros = 9.04,
        Segments = 1,
        State = "bounded",
    };

    public static RunFigures Good { get; } = new()
    {
        RateAsked = 100_000,
        RateReached = 100_000.4,
        SteadySeconds = 10.002,
        LatencyMicros = new()
        {
            Count = 10_000,
            Average = 36.25,
            Deviation = 12.5,
            Max = 1_702,
            Min = 14,
            P50 = 31,
            P90 = 49,
            P99 = 74,
            P999 = 410,
            P9999 = 1_650,
        },
        SendLagMicros = new()
        {
            Count = 10_000,
            Average = 20,
            Deviation = 0,
            Min = 0,
            Max = 590,
            P50 = 13.5,
            P90 = 40,
            P99 = 61,
            P999 = 300,
            P9999 = 590
        },
        Images = new(10_000, 0.0214),
    };

    public static IReadOnlyList<LinkResult> GoodLinks { get; } =
        [Link("updates", 1_000_000, 1_000_000), Link("requests", 10_000, 10_000) with { From = "consumer", To = "provider" },
            Link("refreshes", 10_000, 10_000)];

    public static RunDocument Run { get; } = Of(DirectScenario.Direct);

    public static RunDocument Of(Scenario scenario) => new()
    {
        Scenario = scenario.Name,
        Verdict = "OK",
        Reason = null,
        ExitCode = (int)ExitCode.Success,
        Inputs = scenario.DescribeInputs(new()),
        Figures = scenario.Figures.Sizes is null ? Good : Good with { RoundTrips = [RoundTrip], ClosedLoop = true },
        Assertions = [new() { Assertion = "p99<100us", Kept = true, Figure = 74, Line = "p99<100us: 74us, kept" }],
        Links = GoodLinks,
        Roles = [Role("provider", 143, 6.08, 61.4), Role("consumer", 0, 4.96, 57.6)],
        Machine = ThisMachine.Description with { ForeignPercent = 3.5 },
        StartUtc = new(2026, 11, 21, 10, 12, 33, 450, DateTimeKind.Utc),
        EndUtc = new(2026, 11, 21, 10, 12, 45, 450, DateTimeKind.Utc),
    };

    public static LinkResult Link(string what, long? sent, long? received, long? lost = 0, bool comparable = true) => new()
    {
        From = "provider",
        To = "consumer",
        What = what,
        Sent = sent,
        Received = received,
        Lost = lost,
        NotSent = 0,
        Comparable = comparable,
    };

    private static RoundTripFigures RoundTrip { get; } = new()
    {
        Bytes = 16,
        Samples = 10_000,
        StdevMicros = 45.5,
        AverageMicros = 114,
        MinMicros = 91.5,
        P50Micros = 104,
        P90Micros = 135,
        P99Micros = 210,
        P999Micros = 1_200,
        P9999Micros = null,
        MaxMicros = 2_078.5,
        Lost = 0,
        Late = 0,
        Resent = 0,
        NotPositive = 0,
        OneWayMicros = 57,
    };

    private static RoleResult Role(string name, int exitCode, double cpuCorePercent, double memoryMegabytes) => new()
    {
        Name = name,
        Tool = "Tool",
        Command = "dotnet exec Tool.dll",
        ExitCode = exitCode,
        CpuCorePercent = cpuCorePercent,
        MemoryMegabytes = memoryMegabytes,
        Files = new($"{name}.log", $"{name}.jsonl", name),
        Final = null,
    };
}
