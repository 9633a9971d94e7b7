using PerfCommon.Measurement;
using PerfHub.Services;

namespace PerfHub.Consumers;

/// <summary>Sends changes of services to the consumers of one session thread: all changes together, at limited intervals.</summary>
/// <remarks>
/// A directory is sent whole to every consumer, so a source that changes one service over and over would keep the hub busy with nothing else. The
/// next announcement follows after a pause, the longer the more was sent. Each turn serves some of the consumers. One owner thread.
/// </remarks>
/// <param name="services">The services.</param>
internal sealed class Announcer(ServiceTable services)
{
    private const int MaxBytesPerTurn = 1 << 20;
    private const int MaxSessionsPerTurn = 1_000;
    private const long PauseNanos = 100 * Clock.NanosPerMilli;
    private const int PauseShare = 4; // the pause is this multiple of the time taken

    private int _next = int.MaxValue; // number of the next connection
    private long _beganNanos;
    private bool _hasNotified;
    private long _restUntilNanos;

    /// <summary>The services that are being announced, or were last.</summary>
    public ServiceSnapshot Current { get; private set; } = ServiceSnapshot.Empty;

    /// <summary>When the next announcement is due; far in the future for none.</summary>
    public long NextDueNanos => IsUnderWay ? 0 : HasChanged ? _restUntilNanos : long.MaxValue;

    private bool IsUnderWay => _next < int.MaxValue;

    private bool HasChanged => services.Version != Current.Version;

    /// <summary>True when an announcement is due.</summary>
    public bool HasWork(long nowNanos) => NextDueNanos <= nowNanos;

    /// <summary>Sends to some connections.</summary>
    /// <param name="sessions">All connections of the thread by their numbers.</param>
    /// <param name="nowNanos">The time.</param>
    public void Announce(List<HubSession?> sessions, long nowNanos)
    {
        if (!HasWork(nowNanos))
            return;
        if (!IsUnderWay)
            (Current, _next, _beganNanos, _hasNotified) = (services.List(), 0, nowNanos, false);
        long bytes = 0;
        for (int i = 0; i < MaxSessionsPerTurn && bytes < MaxBytesPerTurn && _next < sessions.Count; i++)
            bytes += sessions[_next++]?.PublishServices(Current) ?? 0;
        _hasNotified |= bytes > 0;
        if (_next < sessions.Count)
            return;
        _next = int.MaxValue;
        _restUntilNanos = _hasNotified ? nowNanos + PauseNanos + (PauseShare * (nowNanos - _beganNanos)) : 0;
    }
}
