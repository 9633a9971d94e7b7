using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <content>Measures round trips on the login stream, with a consumer that requested them.</content>
public abstract partial class ServerSession
{
    private const long RoundTripPeriodNanos = 5 * Clock.NanosPerSecond;

    private long _roundTripDueNanos = long.MaxValue;
    private ulong? _lastRoundTripNanos;

    internal override long NextDueNanos => IsOpen ? _roundTripDueNanos : long.MaxValue;

    internal override void OnDue(long nowNanos)
    {
        _roundTripDueNanos = Math.Max(_roundTripDueNanos + RoundTripPeriodNanos, nowNanos);
        int bytes = _login.EncodeRoundTrip(Scratch, (ulong)Time.NowNanos, _lastRoundTripNanos);
        if (!Output.TrySend(Scratch[..bytes], MessageKind.Other))
            return; // all buffers are in use: this one is omitted
        Output.EndBurst();
        Channel.Flush();
    }

    /// <summary>Called when a round trip was measured.</summary>
    private protected virtual void OnRoundTrip(long nanos)
    {
    }

    private void BeginRoundTrips() =>
        _roundTripDueNanos = _login.MeasuresRoundTrips ? Time.NowNanos + RoundTripPeriodNanos : long.MaxValue;

    private bool TryReceiveRoundTrip(scoped in RwfMsg msg)
    {
        if (!_login.TryReadRoundTrip(msg, out ulong ticks))
            return false;
        long nanos = Time.NowNanos - (long)ticks;
        if (nanos < 0)
            return true; // not a value of our clock
        _lastRoundTripNanos = (ulong)nanos;
        OnRoundTrip(nanos);
        return true;
    }
}
