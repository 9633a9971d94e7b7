using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>One end of a connection in memory: bytes come in pieces as small, and leave in a queue as short, as a test wants.</summary>
internal sealed class MemoryPipe : BytePipe
{
    private readonly Queue<byte> _incoming = new();
#pragma warning disable CA2213 // each end is its own test's to dispose of
    private MemoryPipe? _peer;
#pragma warning restore CA2213
    private bool _ended;
    private long _moved; // to or from this end

    public int MostReceivedAtOnce { get; set; } = int.MaxValue;

    public int MostQueued { get; set; } = int.MaxValue;

    public bool IsDisposed { get; private set; }

    /// <summary>Set when a layer of either end has something to do.</summary>
    public ManualResetEventSlim Woken { get; private init; } = new();

    /// <summary>Bytes that have arrived here and were not received.</summary>
    public int Incoming => _incoming.Count;

    /// <summary>Bytes that went either way, and ends: more of them is progress.</summary>
    public long Moved => _moved + _peer!._moved;

    public override string? Failure => IsDisposed ? "disposed" : null;

    public static (MemoryPipe Client, MemoryPipe Server) CreatePair()
    {
        MemoryPipe client = new();
        MemoryPipe server = new() { _peer = client, Woken = client.Woken };
        client._peer = server;
        return (client, server);
    }

    /// <summary>Bytes that nobody wrote: as if the peer had sent them.</summary>
    public void Inject(ReadOnlySpan<byte> bytes)
    {
        foreach (byte b in bytes)
            _incoming.Enqueue(b);
    }

    /// <summary>Takes everything that has arrived here.</summary>
    public byte[] TakeAll()
    {
        byte[] all = [.. _incoming];
        _incoming.Clear();
        return all;
    }

    /// <summary>As if the peer had ended its stream.</summary>
    public void End() => _ended = true;

    public override void WakeOwner() => Woken.Set();

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        for (int most = Math.Min(room.Length, MostReceivedAtOnce); count < most && _incoming.TryDequeue(out byte b); count++)
            room[count] = b;
        _moved += count;
        if (count > 0)
            return PipeStatus.Ready;
        return _ended ? PipeStatus.Ended : PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = Math.Clamp(MostQueued - _peer!._incoming.Count, 0, bytes.Length);
        _peer.Inject(bytes[..count]);
        _moved += count;
        return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override void FinishSending()
    {
        _moved += _peer!._ended ? 0 : 1;
        _peer._ended = true;
    }

    public override void Dispose()
    {
        IsDisposed = true;
        FinishSending();
    }
}
