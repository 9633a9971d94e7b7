using System.Buffers;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>
/// The bottom of an asynchronous connection: a duplex pipe. Sending only fills its writer; its driver flushes it.
/// </summary>
/// <param name="pipe">The pipe.</param>
/// <param name="socket">The socket under it, whose stream ends with the pipe's; null for none.</param>
/// <param name="wakeOwner">Makes the owner check the pipe again.</param>
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

    /// <summary>True once a flush was abandoned: the bytes in the writer are lost with the connection, since no flush is awaited any more.</summary>
    public bool WasFlushCut { get; set; }

    /// <summary>
    /// Records that a read was the last: a reader over a stream reports the end to a waiting caller only, never to a non-waiting one.
    /// </summary>
    public void RecordEnd(in ReadResult result) => _isPeerDone |= result.IsCompleted;

    /// <summary>Ends receiving: an awaited read failed.</summary>
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
            RecordEnd(result);
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
            pipe.Output.Complete(); // a pipe over a stream writes its remaining bytes
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
            pipe.Output.Complete(new IOException("the peer took no more bytes")); // a writer over a stream discards them only when given an exception
        else
            FinishSending();
    }
}
