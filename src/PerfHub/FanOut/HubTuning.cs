namespace PerfHub.FanOut;

/// <summary>The settings that may be changed while the hub runs. Any thread; a change applies from the next window on.</summary>
internal sealed class HubTuning
{
    private volatile BurstSettings _burst = BurstSettings.Off;
    private long _throttleNanos;

    public BurstSettings Burst
    {
        get => _burst;
        set => _burst = value;
    }

    /// <summary>Time after a forwarded update for which further updates of the item are merged; 0 for none.</summary>
    public long ThrottleNanos
    {
        get => Volatile.Read(ref _throttleNanos);
        set => Volatile.Write(ref _throttleNanos, value);
    }
}
