namespace PerfCommon.Transport;

/// <summary>The entry of one link in a waiter; the link's owner derives from it.</summary>
internal abstract class WaitSlot
{
    /// <summary>Index in the waiter; -1 while it waits for no event of the link. Set by the waiter.</summary>
    public int Index { get; set; } = -1;
}
