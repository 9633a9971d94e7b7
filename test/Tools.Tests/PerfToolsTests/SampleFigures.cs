using PerfCommon.Measurement;
using PerfTools.Results;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Figures of a run that went well.</summary>
internal static class SampleFigures
{
    public static RunFigures Good { get; } = new()
    {
        RateAsked = 100_000,
        RateReached = 100_000.4,
        SteadySeconds = 10.002,
        Balances =
        [
            new("updates", 1_000_000, 1_000_000),
            new("requests", 10_000, 10_000),
            new("refreshes", 10_000, 10_000),
        ],
        Latency = new LatencyFigures
        {
            Count = 10_000,
            Average = 36.25,
            Deviation = 12.5,
            Min = 14,
            Max = 1_702,
            P50 = 31,
            P90 = 49,
            P99 = 74,
            P999 = 410,
            P9999 = 1_650,
        },
        SendLag = new LatencyFigures { Count = 10_000, Average = 20, Max = 590, P50 = 13.5, P90 = 40, P99 = 61, P999 = 300, P9999 = 590 },
        Images = new(10_000, 0.0214),
        Server = new(6.08, 61.4),
        Client = new(4.96, 57.6),
    };
}
