using System.Net;
using System.Net.Sockets;
using LatencyPerf.Protocol;
using PerfCommon;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>A link by shared memory of one host: all subscribers read one ring of the publisher, which reads one ring of each of them.</summary>
internal sealed class SharedMemoryLink : ILink
{
    private const int ToAll = -1;
    private const long LookNanos = 100 * Clock.NanosPerMilli;
    private const long RetryNanos = Clock.NanosPerSecond;
    private const int MaxFailures = 50; // of a living publisher: it creates its memory within a moment

    private readonly SharedPlace _place;
    private readonly int _own;
    private readonly IDisposable _life;
    private readonly SharedWake _wake;
    private readonly byte[] _buffer = new byte[DatagramHeader.Bytes + DataPacket.MaxBytes];
    private readonly RingReader[] _readers = new RingReader[TestPorts.MaxCookie + 1];
    private readonly bool[] _isPeer = new bool[TestPorts.MaxCookie + 1];
    private readonly SharedRing[] _rings = new SharedRing[TestPorts.MaxCookie + 1]; // by the side that writes
    private SharedRegion? _region;
    private int _subscribers;
    private int _nextRing = 1;
    private long _nextLookNanos;
    private long _openedNanos;
    private bool _isRendezvous;
    private int _failures;

    /// <param name="place">The domain's files.</param>
    /// <param name="own">0 for the publisher, else the cookie.</param>
    /// <param name="layout">The layout that a publisher creates; a subscriber reads its own from the memory.</param>
    /// <exception cref="SetupException">The domain or the cookie is in use, or there is no such memory.</exception>
    public SharedMemoryLink(SharedPlace place, int own, SharedLayout layout)
    {
        (_place, _own, _isRendezvous) = (place, own, own == IDatagramOutput.Publisher);
        _life = place.TryHold(own) ?? throw new SetupException(SetupProblem.NotStarted, own == IDatagramOutput.Publisher
            ? $"domain {place.DomainId} is in use in shared memory" : $"cookie {own} is taken in domain {place.DomainId} of shared memory");
        _wake = CreateWake(layout.Subscribers);
        if (own == IDatagramOutput.Publisher)
            Use(CreateRegion(layout), layout);
    }

    public IReadOnlyList<string> Description => ["Shared memory enabled."];

    public PeerAddress? Source { get; private set; }

    public string? Broken { get; private set; }

    public long KernelDrops => 0;

    private bool IsPublisher => _own == IDatagramOutput.Publisher;

    public bool PollRefusal() => false;

    public void Send(int peer, ReadOnlySpan<byte> datagram)
    {
        if (_region is null || (!IsPublisher && !_isPeer[0] && Clock.NowNanos - _openedNanos > RetryNanos))
            OpenRegion(); // the memory may have been that of an earlier publisher
        Write(datagram, peer);
    }

    public void SendData(ReadOnlySpan<byte> datagram) => Write(datagram, IsPublisher ? ToAll : IDatagramOutput.Publisher);

    public void Answer(PeerAddress to, ReadOnlySpan<byte> datagram)
    {
        if (Find(to) is var cookie and > 0)
            Write(datagram, cookie);
    }

    public void Admit(int cookie, PeerAddress at) => _isPeer[cookie] = true;

    public void Release(int cookie) => _isPeer[cookie] = false;

    public bool IsReachable(int cookie) => _isPeer[cookie] && _place.Lives(cookie);

    public void UseGroup(IPEndPoint? group)
    {
        // memory has no groups; the options refuse them
    }

    public bool TryReceive(out Span<byte> datagram)
    {
        datagram = default;
        return _region is not null && (IsPublisher ? TryReceiveReply(out datagram) : TryReceiveData(out datagram));
    }

    public void Wait(long limitNanos)
    {
        if (_region is null)
            Thread.Sleep(TimeSpan.FromMilliseconds(Math.Max(1, limitNanos / Clock.NanosPerMilli)));
        else if (IsPublisher)
            Sleep(ref _region.Word(SharedLayout.BellAt), ref _region.Word(SharedLayout.SleepersAt), limitNanos);
        else
            Sleep(ref _rings[0].Head, ref _rings[0].Sleepers, limitNanos);
    }

    public void EndRendezvous()
    {
        _isRendezvous = false;
        Source = null;
        if (IsPublisher)
            SharedPlace.Delete(_place.MemoryPath); // all have mapped it: its path is needed no more
    }

    /// <summary>Detects the end of peers: a side that no longer holds its file has ended.</summary>
    public void LookForPeers()
    {
        long now = Clock.NowNanos;
        if (now < _nextLookNanos)
            return;
        _nextLookNanos = now + LookNanos;
        if (_region is { IsWhole: false })
            Broken ??= "the shared memory was cut short";
        int from = IsPublisher ? 1 : 0, to = IsPublisher ? _subscribers : 0;
        for (int side = from; side <= to && Broken is null; side++)
        {
            if (_region is not null)
                _rings[side].Recover(ref _readers[side]);
            if (_isPeer[side] && !_place.Lives(side))
            {
                Broken = side == IDatagramOutput.Publisher
                    ? "its lock on the shared memory is free" : $"the subscriber with cookie {side} is gone: its lock is free";
            }
        }
    }

    public void Dispose()
    {
        _region?.Dispose();
        _wake.Dispose();
        if (IsPublisher)
            SharedPlace.Delete(_place.MemoryPath);
        _place.ClearDead(_own);
        SharedPlace.Delete(_place.LifePathOf(_own));
        _life.Dispose();
    }

    private SharedWake CreateWake(int subscribers)
    {
        IEnumerable<int> others = IsPublisher ? Enumerable.Range(1, subscribers) : [IDatagramOutput.Publisher];
        try
        {
            return SharedWake.Create(_place.BellPathOf(_own), [.. others.Select(_place.BellPathOf)]);
        }
        catch (SocketException cause)
        {
            _life.Dispose();
            throw new SetupException(SetupProblem.NotStarted, $"{_place.BellPathOf(_own)}: no doorbell for shared memory: {cause.Message}",
                cause);
        }
    }

    private SharedRegion CreateRegion(SharedLayout layout)
    {
        try
        {
            SharedPlace.ClearAll();
            SharedPlace.Delete(_place.MemoryPath); // left by a killed publisher: a side that still has it mapped is alone with it
            return SharedRegion.Create(_place.MemoryPath, layout.TotalBytes);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            _wake.Dispose();
            _life.Dispose();
            throw new SetupException(SetupProblem.NotStarted, FormattableString.Invariant(
                $"{_place.MemoryPath}: {layout.TotalBytes:N0} bytes of shared memory are needed: {FileErrors.Describe(_place.MemoryPath, cause)}"), cause);
        }
    }

    private void OpenRegion()
    {
        if (!_place.Lives(IDatagramOutput.Publisher))
            return;
        try
        {
            SharedRegion region = SharedRegion.Open(_place.MemoryPath);
            if (SharedLayout.TryRead(region) is not { } layout)
                region.Dispose();
            else if (_own <= layout.Subscribers)
                Use(region, layout);
            else
                throw new SetupException(SetupProblem.NotStarted, $"refused: cookie {_own} is above -subscribers {layout.Subscribers}");
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            if (cause is not FileNotFoundException && ++_failures >= MaxFailures) // otherwise it does not exist yet
                throw new SetupException(SetupProblem.NotStarted, $"{_place.MemoryPath}: {FileErrors.Describe(_place.MemoryPath, cause)}", cause);
        }
    }

    private void Use(SharedRegion region, SharedLayout layout)
    {
        _region?.Dispose();
        (_region, _subscribers, _openedNanos) = (region, layout.Subscribers, Clock.NowNanos);
        for (int side = 0; side <= layout.Subscribers; side++)
        {
            _rings[side] = layout.RingOf(region, side);
            _readers[side] = _rings[side].CreateReader();
        }

        if (IsPublisher)
            layout.Write(region);
        else
            _rings[_own].ContinueWriting();
    }

    // The word before the last check: a later message ends the sleep. A spinning reader never touches the word, whose cache line moves with
    // every message.
    private void Sleep(ref uint word, ref uint sleepers, long limitNanos)
    {
        uint seen = Volatile.Read(ref word);
        if (!HasMore())
            _wake.Sleep(ref word, seen, ref sleepers, limitNanos);
    }

    private bool HasMore()
    {
        int from = IsPublisher ? 1 : 0, to = IsPublisher ? _subscribers : 0;
        for (int side = from; side <= to; side++)
        {
            if (_rings[side].HasNext(_readers[side]))
                return true;
        }

        return false;
    }

    private void Write(ReadOnlySpan<byte> datagram, int to)
    {
        if (_region is null)
            return;
        _rings[_own].Write(datagram, to);
        if (IsPublisher)
        {
            _wake.WakeAll(ref _rings[0].Head, ref _rings[0].Sleepers);
            return;
        }

        ref uint bell = ref _region.Word(SharedLayout.BellAt);
        Interlocked.Increment(ref bell);
        _wake.WakeAll(ref bell, ref _region.Word(SharedLayout.SleepersAt));
    }

    private bool TryReceiveReply(out Span<byte> datagram)
    {
        datagram = default;
        for (int i = 0; i < _subscribers; i++)
        {
            int side = _nextRing;
            _nextRing = side == _subscribers ? 1 : side + 1; // round robin, so that no side starves
            if (!_rings[side].TryRead(ref _readers[side], _buffer, out datagram, out _))
                continue;
            Source = _isRendezvous ? AddressOf(side) : null;
            return true;
        }

        return false;
    }

    private bool TryReceiveData(out Span<byte> datagram)
    {
        while (_rings[0].TryRead(ref _readers[0], _buffer, out datagram, out int to))
        {
            if (to != ToAll && to != _own)
                continue;
            _isPeer[0] = true;
            return true;
        }

        return false;
    }

    private static PeerAddress AddressOf(int cookie) => new(FormattableString.Invariant($"shmem://{cookie}"), "shmem://");

    private int Find(PeerAddress at)
    {
        for (int cookie = 1; cookie <= _subscribers; cookie++)
        {
            if (AddressOf(cookie) == at)
                return cookie;
        }

        return 0;
    }
}
