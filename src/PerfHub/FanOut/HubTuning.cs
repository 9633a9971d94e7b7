namespace PerfHub.FanOut;

/// <summary>What may be changed while the hub runs. Any thread; a change is taken up with the next window.</summary>
internal sealed class HubTuning
{
    private volatile BurstSettings _burst = BurstSettings.Off;
    private long _throttleNanos;

    public BurstSettings Burst
    {
        get => _burst;
        set => _burst = value;
    }

    /// <summary>How long updates of an item are merged behind one that was handed on; 0 for not at all.</summary>
    public long ThrottleNanos
    {
        get => Volatile.Read(ref _throttleNanos);
        set => Volatile.Write(ref _throttleNanos, value);
    }
}
