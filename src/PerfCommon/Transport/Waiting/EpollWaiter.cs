using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>Waits for many sockets: level-triggered epoll, its own descriptor polled for the sake of nanoseconds.</summary>
internal sealed class EpollWaiter : SocketWaiter
{
    private const int SignalIndex = 0;
    private const int MostTaken = 256;

    private readonly int _epoll = Libc.CreateEpoll(Libc.CloseOnExec);
    private readonly WakeEvent _wake;
    private readonly List<(RsslChannel? Channel, Socket? Socket)> _owners = [default];
    private readonly Stack<int> _free = new();
    private readonly Libc.PollEntry[] _self;

    /// <param name="wake">The event that ends a wait; ours from now on.</param>
    public EpollWaiter(WakeEvent wake)
    {
        _wake = wake;
        if (_epoll < 0)
            throw new IOException("the system gives no epoll descriptor");
        _self = [new Libc.PollEntry { Descriptor = _epoll, Events = Libc.PollIn }];
        _ = Libc.Control(_epoll, Libc.EpollAdd, wake.Descriptor, (uint)Libc.PollIn, SignalIndex);
    }

    public override void Add(RsslChannel channel, Socket socket)
    {
        if (!_free.TryPop(out int index))
        {
            index = _owners.Count;
            _owners.Add(default);
        }
        _owners[index] = (channel, socket);
        channel.WaitIndex = index;
        if (Libc.Control(_epoll, Libc.EpollAdd, Descriptor(index), 0, index) < 0)
            throw new IOException("the system waits for no more sockets");
    }

    public override void SetInterest(RsslChannel channel, bool reads, bool writes) =>
        _ = Libc.Control(_epoll, Libc.EpollModify, Descriptor(channel.WaitIndex), (uint)EventsFor(reads, writes), channel.WaitIndex);

    public override void Remove(RsslChannel channel)
    {
        int index = channel.WaitIndex;
        _ = Libc.Control(_epoll, Libc.EpollDelete, Descriptor(index), 0, 0);
        _owners[index] = default;
        _free.Push(index);
        channel.WaitIndex = -1;
    }

    public override void Wait(long timeoutNanos)
    {
        Found.Clear();
        if (timeoutNanos != 0 && Libc.Poll(_self, timeoutNanos) <= 0)
            return;
        Span<(int Data, uint Events)> ready = stackalloc (int, uint)[MostTaken];
        int count = Libc.TakeReady(_epoll, ready);
        foreach ((int index, uint events) in ready[..count])
        {
            if (index == SignalIndex)
            {
                _wake.Reset();
                continue;
            }
            if (_owners[index].Channel is RsslChannel channel)
                Note(channel, events);
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
