using PerfCommon.Measurement;

namespace PerfCommon.Tests.Simulation;

/// <summary>How a simulated network behaves. Shares are of one hundred.</summary>
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

    /// <summary>Of sends that are taken in part, and of receives that bring a part.</summary>
    public int SplitShare { get; init; }

    /// <summary>Of sends behind which nothing is taken, or nothing arrives, for a while.</summary>
    public int StallShare { get; init; }

    public long MaxStallNanos { get; init; }

    public int ConnectTroubleShare { get; init; }

    /// <summary>Of looks that report too late, or what is not there.</summary>
    public int ReadinessShare { get; init; }

    /// <summary>Of steps at which a worker begins to miss its turns.</summary>
    public int MissedTurnsShare { get; init; }

    /// <summary>Of steps at which the clock leaps by up to half a second.</summary>
    public int LeapShare { get; init; }

    /// <summary>Of steps at which a connection is reset.</summary>
    public int ResetsInTenThousand { get; init; }

    /// <summary>Of steps at which nothing that a connection carries arrives any more.</summary>
    public int SilencesInTenThousand { get; init; }

    /// <summary>Bytes that one end takes before its owner reads them.</summary>
    public int WindowBytes { get; private init; }

    public static NetworkWeather Of(Random random)
    {
        NetworkWeather weather = random.Next(4) switch { 0 => Calm, 1 => Stormy, _ => Rough };
        return weather with { WindowBytes = 1 << random.Next(9, 17) };
    }
}
