using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Waits for a few sockets with ppoll: nanosecond timeouts, no state in the kernel.</summary>
internal sealed class PollWaiter : DescriptorWaiter
{
    /// <summary>Maximum number of sockets that poll handles faster than epoll.</summary>
    private const int MaxSockets = 64;

    private readonly WakeEvent _wake = new();
    private Libc.PollEntry[] _entries = new Libc.PollEntry[8];
    private (WaitSlot Slot, Socket Socket)[] _owners = new (WaitSlot, Socket)[8];
    private int _count = 1; // the first entry is the signal

    public PollWaiter() => _entries[0] = new Libc.PollEntry { Descriptor = _wake.Descriptor, Events = Libc.PollIn };

    public override void Add(WaitSlot slot, Socket socket)
    {
        if (_count == _entries.Length)
        {
            Array.Resize(ref _entries, _count * 2);
            Array.Resize(ref _owners, _count * 2);
        }

        _entries[_count] = new Libc.PollEntry { Descriptor = (int)socket.SafeHandle.DangerousGetHandle() };
        _owners[_count] = (slot, socket);
        slot.Index = _count++;
    }

    public override void SetInterest(WaitSlot slot, bool reads, bool writes) =>
        _entries[slot.Index].Events = EventsFor(reads, writes);

    public override void Remove(WaitSlot slot)
    {
        int at = slot.Index;
        int last = --_count;
        _entries[at] = _entries[last];
        _owners[at] = _owners[last];
        _owners[at].Slot.Index = at;
        _owners[last] = default;
        slot.Index = -1;
    }

    public override void Wait(long timeoutNanos)
    {
        Found.Clear();
        int ready = Libc.Poll(_entries.AsSpan(0, _count), timeoutNanos);
        if (ready <= 0)
            return;
        if (_entries[0].Returned != 0)
            _wake.Reset();
        for (int i = 1; i < _count; i++)
        {
            if (_entries[i].Returned != 0)
                AddFound(_owners[i].Slot, (uint)_entries[i].Returned);
        }
    }

    public override void Signal() => _wake.Set();

    public override Waiter MakeRoom() => _count <= MaxSockets ? this : MoveToLarger();

    public override void Dispose() => _wake.Dispose();

    // Moves sockets and signal to a larger waiter; this one is not used any more.
    private EpollWaiter MoveToLarger()
    {
        EpollWaiter other = new(_wake); // the same event: no signal is lost
        for (int i = 1; i < _count; i++)
        {
            short events = _entries[i].Events;
            other.Add(_owners[i].Slot, _owners[i].Socket);
            other.SetInterest(_owners[i].Slot, (events & Libc.PollIn) != 0, (events & Libc.PollOut) != 0);
        }

        _count = 1;
        return other;
    }
}
