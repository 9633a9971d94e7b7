using System.Net;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Simulation;

/// <summary>
/// One end of a connection whose bytes are in transit for a while, arrive in pieces, stall, and are lost when it is reset. In order, like
/// TCP.
/// </summary>
internal sealed class SeededPipe : MemoryPipe
{
    private const int FewBytes = 16;

    private readonly SeededNetwork _network;
    private readonly ByteQueue _underWay = new(); // sent here, not arrived at the other end
    private readonly Queue<(long AtNanos, int Bytes)> _arrivals = new();
#pragma warning disable CA2213 // each end is disposed of by its own owner
    private SeededPipe _peer = null!;
#pragma warning restore CA2213
    private string? _failure;
    private long _arrivesNanos; // of the last bytes, or of our end of stream after them
    private long _takesNanos; // nothing is accepted before
    private bool _isFinished;
    private bool _isLost; // bytes sent here never arrive

    private SeededPipe(SeededNetwork network, EndPoint address)
        : base(network.Weather.WindowBytes) => (_network, Addresses) = (network, (address, null));

    /// <summary>The same local address at both ends of a connection, and of no other.</summary>
    public override (EndPoint? Local, EndPoint? Remote) Addresses { get; }

    public bool IsDisposed { get; private set; }

    /// <summary>True once it can transfer nothing further.</summary>
    public bool IsOver => IsDisposed || IsBroken;

    public bool IsBroken => _failure is not null;

    public long ConnectedNanos { get; set; }

    public override string? Failure => _failure;

    public override bool IsConnected => Now >= ConnectedNanos;

    public override bool HasInput
    {
        get
        {
            _peer.Deliver();
            return base.HasInput || IsBroken;
        }
    }

    public override bool HasRoom => IsBroken || (Now >= _takesNanos && RoomNow > 0);

    private long Now => _network.Time.NowNanos;

    private int RoomNow => RoomAtOther - _underWay.Count;

    /// <summary>Creates both ends of a connection.</summary>
    /// <param name="network">The network.</param>
    /// <param name="number">Number of the connection, from 1.</param>
    public static (SeededPipe Client, SeededPipe Server) CreatePair(SeededNetwork network, int number)
    {
        IPEndPoint address = new(IPAddress.Loopback, number);
        SeededPipe client = new(network, address);
        SeededPipe server = new(network, address) { _peer = client };
        client._peer = server;
        Join(client, server);
        return (client, server);
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        _peer.Deliver();
        if (IsBroken && !HasReceived)
            return PipeStatus.Failed;
        return base.Receive(room[..PartOf(room.Length, Fault.SplitReceive)], out count);
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        Deliver();
        if (IsBroken || _isFinished)
            return PipeStatus.Failed;
        if (Now < _takesNanos || bytes.IsEmpty)
            return bytes.IsEmpty ? PipeStatus.Ready : PipeStatus.Wait;
        count = Math.Min(PartOf(bytes.Length, Fault.ShortSend), Math.Max(0, RoomNow));
        _network.BytesTaken += count;
        _underWay.Add(bytes[..count]);
        if (count > 0)
            _arrivals.Enqueue((NextArrival(), count));
        if (_network.Happens(_network.Weather.StallShare))
            Stall();
        return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override void FinishSending()
    {
        if (_isFinished)
            return;
        _isFinished = true;
        _arrivesNanos = NextArrival();
        Deliver();
    }

    public override void Dispose()
    {
        bool wasOpen = !IsDisposed;
        IsDisposed = true;
        base.Dispose();
        if (wasOpen && HasReceived)
            ResetByClose();
    }

    /// <summary>Loses the bytes in transit; bytes that have arrived may be lost, too.</summary>
    public void Break()
    {
        _failure ??= "Connection reset by peer";
        _underWay.Clear();
        _arrivals.Clear();
        if (_network.Happens(50))
            DropReceived();
    }

    /// <summary>Loses the bytes in transit, and all bytes sent from now on; neither end is notified.</summary>
    public void Lose() => _isLost = true;

    private void Deliver()
    {
        if (_isLost)
            return;
        while (_arrivals.TryPeek(out (long AtNanos, int Bytes) next) && next.AtNanos <= Now)
        {
            _arrivals.Dequeue();
            if (_peer.IsDisposed)
            {
                _peer.ResetByClose();
                return;
            }

            base.Send(_underWay.Bytes[..next.Bytes], out int count);
            _underWay.Drop(count);
            if (count != next.Bytes)
                throw new InvalidOperationException("more was taken than there was room for");
        }

        if (_isFinished && _arrivals.Count == 0 && _arrivesNanos <= Now && !IsBroken)
            base.FinishSending();
    }

    // As the system does when bytes arrive, or are queued, that will not be read.
    private void ResetByClose()
    {
        if (_peer.IsOver)
            return;
        _network.Faults.Add(Fault.ResetByClose);
        Break();
        _peer.Break();
    }

    private void Stall()
    {
        long nanos = _network.Random.NextInt64(1, _network.Weather.MaxStallNanos);
        if (_network.Happens(50))
        {
            _network.Faults.Add(Fault.SendStall);
            _takesNanos = Now + nanos;
        }
        else
        {
            _network.Faults.Add(Fault.LineStall);
            _arrivesNanos = Math.Max(_arrivesNanos, Now) + nanos;
        }
    }

    private long NextArrival()
    {
        _network.Faults.Add(Fault.Delay);
        return _arrivesNanos = Math.Max(_arrivesNanos, Now + _network.Random.NextInt64(_network.Weather.MaxDelayNanos));
    }

    // The given number of bytes, or a part; often a very small one.
    private int PartOf(int bytes, Fault fault)
    {
        if (bytes < 2 || !_network.Happens(_network.Weather.SplitShare))
            return bytes;
        _network.Faults.Add(fault);
        return _network.Random.Next(1, _network.Happens(30) ? Math.Min(bytes, FewBytes) : bytes);
    }
}
