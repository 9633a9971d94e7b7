using PerfTools.Results.Documents;

namespace Tools.Tests.LatencyTests;

/// <summary>Results of round trips that were never measured.</summary>
internal static class RoundTripSamples
{
    /// <summary>A size with the given microseconds and counts; its other figures derive from its bytes.</summary>
    public static RoundTripFigures Size(int bytes, double? p99 = 60, long lost = 0, long resent = 0) => new()
    {
        Bytes = bytes,
        Samples = 5_000,
        StdevMicros = 2.5,
        AverageMicros = 31,
        MinMicros = 21,
        P50Micros = 41,
        P90Micros = 51,
        P99Micros = p99,
        P999Micros = 171,
        P9999Micros = null,
        MaxMicros = 271,
        Lost = lost,
        Late = 0,
        Resent = resent,
        NotPositive = 0,
        OneWayMicros = null,
    };

    public static RunFigures Figures(params RoundTripFigures[] sizes) => new()
    {
        RateAsked = null,
        RateReached = 10_000,
        SteadySeconds = 1,
        LatencyMicros = null,
        SendLagMicros = null,
        Images = null,
        RoundTrips = sizes,
    };

    public static RoleResult Role(double memoryMegabytes) => new()
    {
        Name = "publisher",
        Tool = "LatencyPerf",
        Command = "",
        ExitCode = 0,
        CpuCorePercent = 30,
        MemoryMegabytes = memoryMegabytes,
        Final = null,
    };
}
