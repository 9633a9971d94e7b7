using PerfCommon.Measurement;
using PerfHub.Services;

namespace PerfHub.Consumers;

/// <summary>Tells the consumers of one session thread what has changed of the services: all that has come together, and not too often.</summary>
/// <remarks>
/// A directory goes to everybody whole, so a source that changes one service over and over would have the hub do nothing else: the next
/// time is a while after the last, the longer the more there was to send. Some consumers are told in each turn. One owner thread.
/// </remarks>
/// <param name="services">The services.</param>
internal sealed class Announcer(ServiceTable services)
{
    private const int MaxBytesPerTurn = 1 << 20;
    private const int MaxSessionsPerTurn = 1_000;
    private const long PauseNanos = 100 * Clock.NanosPerMilli;
    private const int PauseShare = 4; // as much more as it took

    private int _next = int.MaxValue; // number of the connection that is told next
    private long _beganNanos;
    private bool _hasTold;
    private long _restUntilNanos;

    /// <summary>What consumers are told now, or were last.</summary>
    public ServiceSnapshot Current { get; private set; } = ServiceSnapshot.Empty;

    /// <summary>When it has something to do; far away for nothing.</summary>
    public long NextDueNanos => IsUnderWay ? 0 : HasChanged ? _restUntilNanos : long.MaxValue;

    private bool IsUnderWay => _next < int.MaxValue;

    private bool HasChanged => services.Version != Current.Version;

    /// <summary>True when it has something to do now.</summary>
    public bool HasWork(long nowNanos) => NextDueNanos <= nowNanos;

    /// <summary>Tells some.</summary>
    /// <param name="sessions">All connections of the thread by their numbers.</param>
    /// <param name="nowNanos">The time.</param>
    public void Announce(List<HubSession?> sessions, long nowNanos)
    {
        if (!HasWork(nowNanos))
            return;
        if (!IsUnderWay)
            (Current, _next, _beganNanos, _hasTold) = (services.List(), 0, nowNanos, false);
        long bytes = 0;
        for (int i = 0; i < MaxSessionsPerTurn && bytes < MaxBytesPerTurn && _next < sessions.Count; i++)
            bytes += sessions[_next++]?.TellServices(Current) ?? 0;
        _hasTold |= bytes > 0;
        if (_next < sessions.Count)
            return;
        _next = int.MaxValue;
        _restUntilNanos = _hasTold ? nowNanos + PauseNanos + (PauseShare * (nowNanos - _beganNanos)) : 0;
    }
}
