using PerfCommon.Measurement;

namespace PerfCommon.Tests.Simulation;

/// <summary>Probabilities of a simulated network's faults. Shares are of one hundred.</summary>
internal sealed record NetworkWeather
{
    private const long Millis = Clock.NanosPerMilli;

    private static readonly NetworkWeather Calm = new()
    {
        MaxDelayNanos = 5 * Millis,
        SplitShare = 20,
        MissedTurnsShare = 1,
        LeapShare = 1
    };

    private static readonly NetworkWeather Rough = new()
    {
        MaxDelayNanos = 80 * Millis,
        SplitShare = 50,
        StallShare = 2,
        MaxStallNanos = 700 * Millis,
        ConnectTroubleShare = 20,
        ReadinessShare = 10,
        MissedTurnsShare = 3,
        LeapShare = 4,
    };

    private static readonly NetworkWeather Stormy = Rough with
    {
        StallShare = 4,
        MaxStallNanos = 6_000 * Millis,
        ConnectTroubleShare = 40,
        ResetsInTenThousand = 15,
        SilencesInTenThousand = 5
    };

    public long MaxDelayNanos { get; init; }

    /// <summary>Share of sends that are accepted in part, and of receives that return a part.</summary>
    public int SplitShare { get; init; }

    /// <summary>Share of sends after which nothing is accepted, or nothing arrives, for a while.</summary>
    public int StallShare { get; init; }

    public long MaxStallNanos { get; init; }

    public int ConnectTroubleShare { get; init; }

    /// <summary>Share of polls that report too late, or report an event that did not occur.</summary>
    public int ReadinessShare { get; init; }

    /// <summary>Share of steps at which a worker begins to miss its turns.</summary>
    public int MissedTurnsShare { get; init; }

    /// <summary>Share of steps at which the clock leaps by up to half a second.</summary>
    public int LeapShare { get; init; }

    /// <summary>Share of steps at which a connection is reset.</summary>
    public int ResetsInTenThousand { get; init; }

    /// <summary>Share of steps after which nothing that a connection sends arrives any more.</summary>
    public int SilencesInTenThousand { get; init; }

    /// <summary>Bytes that one end accepts before its owner reads them.</summary>
    public int WindowBytes { get; private init; }

    public static NetworkWeather Of(Random random)
    {
        NetworkWeather weather = random.Next(4) switch { 0 => Calm, 1 => Stormy, _ => Rough };
        return weather with { WindowBytes = 1 << random.Next(9, 17) };
    }
}
