using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>
/// The bottom of an awaiting connection: a duplex pipe of anybody's. Sending only fills its writer; its driver flushes it.
/// </summary>
/// <param name="pipe">The pipe.</param>
/// <param name="socket">The socket under it, whose stream ends with the pipe's; null for none.</param>
/// <param name="wakeOwner">Has the owner look again.</param>
internal sealed class DuplexBytePipe(IDuplexPipe pipe, Socket? socket, Action wakeOwner) : BytePipe
{
    private string? _failure;
    private bool _isPeerDone;
    private bool _isBroken;

    public override (EndPoint? Local, EndPoint? Remote) Addresses => socket is null ? default : NetworkAddresses.Of(socket);

    public override string? Failure => _failure;

    public override void WakeOwner() => wakeOwner();

    /// <summary>The pipe that the owner awaits and flushes.</summary>
    public IDuplexPipe Pipe => pipe;

    /// <summary>True while the writer holds bytes that were not flushed.</summary>
    public bool NeedsFlush { get; set; }

    /// <summary>True once a flush was given up: what the writer holds goes with the connection, since nobody waits for it any more.</summary>
    public bool WasFlushCut { get; set; }

    /// <summary>
    /// Remembers that nothing follows what a read gave: a reader over a stream says so to one who waits, never to one who only looks.
    /// </summary>
    public void NoteEnd(in ReadResult result) => _isPeerDone |= result.IsCompleted;

    /// <summary>Nothing more comes: awaiting it failed.</summary>
    public void Break(string failure)
    {
        _failure ??= failure;
        _isBroken = true;
    }

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        if (_isBroken)
            return PipeStatus.Failed;
        try
        {
            if (!pipe.Input.TryRead(out ReadResult result))
                return _isPeerDone ? PipeStatus.Ended : PipeStatus.Wait;
            NoteEnd(result);
            ReadOnlySequence<byte> bytes = result.Buffer.Slice(0, Math.Min(room.Length, result.Buffer.Length));
            bytes.CopyTo(room);
            count = (int)bytes.Length;
            bool isEnd = count == 0 && result.IsCompleted;
            pipe.Input.AdvanceTo(bytes.End);
            return isEnd ? PipeStatus.Ended : count == room.Length || result.IsCompleted ? PipeStatus.Ready : PipeStatus.Wait;
        }
        catch (Exception problem) when (problem is IOException or SocketException)
        {
            _failure ??= problem.Message;
            count = 0;
            return PipeStatus.Failed;
        }
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        pipe.Output.Write(bytes);
        NeedsFlush |= bytes.Length > 0;
        count = bytes.Length;
        return PipeStatus.Ready;
    }

    public override void FinishSending()
    {
        try
        {
            pipe.Output.Complete(); // one over a stream writes what it still holds
            socket?.Shutdown(SocketShutdown.Send);
        }
        catch (Exception problem) when (problem is IOException or SocketException or ObjectDisposedException)
        {
            _failure ??= problem.Message;
        }
    }

    public override void Dispose()
    {
        pipe.Input.Complete();
        if (WasFlushCut)
            pipe.Output.Complete(new IOException("the peer took no more bytes")); // a writer over a stream drops them for a reason alone
        else
            FinishSending();
    }
}
