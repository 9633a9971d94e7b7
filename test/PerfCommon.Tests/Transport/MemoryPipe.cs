using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>One end of a connection in memory, with the test's sizes for the pieces that arrive and for the send queue.</summary>
internal sealed class MemoryPipe : BytePipe
{
    private readonly Queue<byte> _incoming = new();
#pragma warning disable CA2213 // each end is disposed of by its own test
    private MemoryPipe? _peer;
#pragma warning restore CA2213
    private bool _ended;
    private long _moved; // to or from this end

    public int MostReceivedAtOnce { get; set; } = int.MaxValue;

    public int MostQueued { get; set; } = int.MaxValue;

    public bool IsDisposed { get; private set; }

    /// <summary>Set when a layer of either end has work to do.</summary>
    public ManualResetEventSlim Woken { get; private init; } = new();

    /// <summary>Bytes that have arrived here and were not received.</summary>
    public int Incoming => _incoming.Count;

    /// <summary>Bytes sent in either direction, plus ends: an increase is progress.</summary>
    public long Moved => _moved + _peer!._moved;

    public override string? Failure => IsDisposed ? "disposed" : null;

    public static (MemoryPipe Client, MemoryPipe Server) CreatePair()
    {
        MemoryPipe client = new();
        MemoryPipe server = new() { _peer = client, Woken = client.Woken };
        client._peer = server;
        return (client, server);
    }

    /// <summary>Injects bytes as if the peer had sent them.</summary>
    public void Inject(ReadOnlySpan<byte> bytes)
    {
        foreach (byte b in bytes)
            _incoming.Enqueue(b);
    }

    /// <summary>Removes all bytes that have arrived here.</summary>
    public byte[] TakeAll()
    {
        byte[] all = [.. _incoming];
        _incoming.Clear();
        return all;
    }

    /// <summary>Ends the stream as if the peer had done it.</summary>
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
