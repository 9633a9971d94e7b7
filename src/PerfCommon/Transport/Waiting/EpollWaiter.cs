using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Waits for many sockets: level-triggered epoll, whose descriptor is polled for nanosecond timeouts.</summary>
internal sealed class EpollWaiter : DescriptorWaiter
{
    private const int SignalIndex = 0;
    private const int MostTaken = 256;

    private readonly int _epoll = Libc.CreateEpoll(Libc.CloseOnExec);
    private readonly WakeEvent _wake;
    private readonly List<(WaitSlot? Slot, Socket? Socket)> _owners = [default];
    private readonly Stack<int> _free = new();
    private readonly Libc.PollEntry[] _self;

    /// <param name="wake">The event that ends a wait; owned by this waiter from now on.</param>
    public EpollWaiter(WakeEvent wake)
    {
        _wake = wake;
        if (_epoll < 0)
            throw new IOException("the system gives no epoll descriptor");
        _self = [new Libc.PollEntry { Descriptor = _epoll, Events = Libc.PollIn }];
        _ = Libc.Control(_epoll, Libc.EpollAdd, wake.Descriptor, (uint)Libc.PollIn, SignalIndex);
    }

    public override void Add(WaitSlot slot, Socket socket)
    {
        if (!_free.TryPop(out int index))
        {
            index = _owners.Count;
            _owners.Add(default);
        }

        _owners[index] = (slot, socket);
        slot.Index = index;
        if (Libc.Control(_epoll, Libc.EpollAdd, Descriptor(index), 0, index) < 0)
            throw new IOException("the system waits for no more sockets");
    }

    public override void SetInterest(WaitSlot slot, bool reads, bool writes) =>
        _ = Libc.Control(_epoll, Libc.EpollModify, Descriptor(slot.Index), (uint)EventsFor(reads, writes), slot.Index);

    public override void Remove(WaitSlot slot)
    {
        int index = slot.Index;
        _ = Libc.Control(_epoll, Libc.EpollDelete, Descriptor(index), 0, 0);
        _owners[index] = default;
        _free.Push(index);
        slot.Index = -1;
    }

    public override void Wait(long timeoutNanos)
    {
        Found.Clear();
        if (timeoutNanos != 0 && Libc.Poll(_self, timeoutNanos) <= 0)
            return;
        Span<(int Data, uint Events)> ready = stackalloc (int, uint)[MostTaken];
        int count = Libc.ReadReady(_epoll, ready);
        foreach ((int index, uint events) in ready[..count])
        {
            if (index == SignalIndex)
            {
                _wake.Reset();
                continue;
            }

            if (_owners[index].Slot is WaitSlot slot)
                AddFound(slot, events);
        }
    }

    public override void Signal() => _wake.Set();

    public override void Dispose()
    {
        _ = Libc.Close(_epoll);
        _wake.Dispose();
    }

    private int Descriptor(int index) => (int)_owners[index].Socket!.SafeHandle.DangerousGetHandle();
}
