using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>When each moment of a run came, in nanoseconds of one clock; default has none.</summary>
internal readonly struct MomentTimes
{
    private readonly Dictionary<Moment, long>? _times;

    private MomentTimes(Dictionary<Moment, long> times) => _times = times;

    /// <summary>The time of a moment; null when it did not come.</summary>
    public long? this[Moment moment] => _times is not null && _times.TryGetValue(moment, out long nanos) ? nanos : null;

    /// <summary>Puts times together; those that are null are left out.</summary>
    public static MomentTimes Of(params ReadOnlySpan<(Moment Moment, long? Nanos)> times)
    {
        Dictionary<Moment, long> all = [];
        foreach ((Moment moment, long? nanos) in times)
        {
            if (nanos is { } known)
                all[moment] = known;
        }

        return new MomentTimes(all);
    }
}
