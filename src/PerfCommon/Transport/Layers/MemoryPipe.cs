using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>One end of a connection within one thread: what one end sends, the other receives.</summary>
/// <remarks>Served by a <see cref="ChannelPoller"/> that never sleeps while it has such channels. Both ends belong to one thread.</remarks>
internal sealed class MemoryPipe : BytePipe
{
    private const int CapacityBytes = 256 * 1024;

    private readonly byte[] _received = new byte[CapacityBytes];
    private MemoryPipe? _other;
    private int _at;
    private int _end;
    private bool _isFinished; // no byte will follow what is received

    private MemoryPipe()
    {
    }

    /// <summary>True when the owner should look at it: bytes, or the end of the stream.</summary>
    public bool HasInput => _at < _end || _isFinished;

    public override Socket? Socket => null;

    public override string? Failure => null;

    /// <summary>Makes a connection.</summary>
    public static (MemoryPipe Client, MemoryPipe Server) CreatePair()
    {
        (MemoryPipe client, MemoryPipe server) = (new(), new());
        (client._other, server._other) = (server, client);
        return (client, server);
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = Math.Min(room.Length, _end - _at);
        _received.AsSpan(_at, count).CopyTo(room);
        _at += count;
        if (count == 0 && _isFinished)
            return PipeStatus.Ended;
        return _at < _end || _isFinished ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = _other!.Put(bytes);
        return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override void FinishSending() => _other!._isFinished = true;

    protected override void Dispose(bool disposing) => FinishSending();

    private int Put(ReadOnlySpan<byte> bytes)
    {
        if (_end + bytes.Length > _received.Length)
        {
            _received.AsSpan(_at, _end - _at).CopyTo(_received);
            (_at, _end) = (0, _end - _at);
        }

        int count = Math.Min(bytes.Length, _received.Length - _end);
        bytes[..count].CopyTo(_received.AsSpan(_end));
        _end += count;
        return count;
    }
}
