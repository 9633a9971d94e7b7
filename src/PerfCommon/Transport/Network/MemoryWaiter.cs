namespace PerfCommon.Transport;

/// <summary>Polls connections in memory: a wait ends at once, because only the same thread could cause an event.</summary>
internal class MemoryWaiter : Waiter
{
    private readonly List<(WaitSlot Slot, MemoryLink Link, bool Reads, bool Writes)> _entries = [];

    public override void Add(WaitSlot slot, WaitSource source)
    {
        slot.Index = _entries.Count;
        _entries.Add((slot, (MemoryLink)source, Reads: false, Writes: false));
    }

    public override void SetInterest(WaitSlot slot, bool reads, bool writes) =>
        _entries[slot.Index] = _entries[slot.Index] with { Reads = reads, Writes = writes };

    public override void Remove(WaitSlot slot)
    {
        _entries[slot.Index] = _entries[^1];
        _entries[^1].Slot.Index = slot.Index;
        _entries.RemoveAt(_entries.Count - 1);
        slot.Index = -1;
    }

    public override void Wait(long timeoutNanos)
    {
        Found.Clear();
        foreach ((WaitSlot slot, MemoryLink link, bool reads, bool writes) in _entries)
        {
            (bool readable, bool writable) = Look(link, reads, writes);
            if (readable || writable)
                Found.Add((slot, readable, writable));
        }
    }

    /// <summary>Returns the state of a connection.</summary>
    protected virtual (bool Readable, bool Writable) Look(MemoryLink link, bool reads, bool writes) =>
        (reads && link.Pipe.HasInput, writes && link.Answers && link.Pipe.HasRoom);

    public override void Signal()
    {
        // no wait lasts
    }

    public override void Dispose()
    {
        // it has no system resources
    }
}
