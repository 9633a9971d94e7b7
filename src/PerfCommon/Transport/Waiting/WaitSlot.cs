namespace PerfCommon.Transport;

/// <summary>The place of one link among those that a waiter waits for; who owns the link derives from it.</summary>
internal abstract class WaitSlot
{
    /// <summary>Where the waiter keeps it; -1 while it waits for nothing of it. The waiter's to set.</summary>
    public int Index { get; set; } = -1;
}
