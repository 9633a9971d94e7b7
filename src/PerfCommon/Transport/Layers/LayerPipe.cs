using System.Net;

namespace PerfCommon.Transport;

/// <summary>A pipe over another pipe.</summary>
/// <param name="below">The pipe below.</param>
/// <param name="pool">Lends the arrays of a layer that is used on its owner's thread alone; null for one that keeps its arrays.</param>
internal abstract class LayerPipe(BytePipe below, BufferPool? pool = null) : BytePipe
{
    public sealed override (EndPoint? Local, EndPoint? Remote) Addresses => below.Addresses;

    public sealed override TcpFacts? TcpFacts => below.TcpFacts;

    public sealed override (int Send, int Receive)? SystemBuffers => below.SystemBuffers;

    public sealed override bool TrySetSystemBuffers(int? sendBytes, int? receiveBytes) =>
        below.TrySetSystemBuffers(sendBytes, receiveBytes);

    public sealed override string? Failure => Problem ?? below.Failure;

    public override bool HasUnsent => !Unsent.IsEmpty || below.HasUnsent;

    public override bool WantsReconnect => below.WantsReconnect;

    public override bool DistrustsPeer => below.DistrustsPeer;

    public sealed override bool StaysOnThread => below.StaysOnThread;

    protected BytePipe Below => below;

    /// <summary>Bytes of the layer that wait for the pipe below.</summary>
    protected ByteQueue Unsent { get; } = new(pool);

    /// <summary>The error of this layer; null while there is none.</summary>
    protected string? Problem { get; set; }

    protected bool IsOpen { get; set; }

    public sealed override void WakeOwner() => below.WakeOwner();

    public override void ReleaseWhenEmpty() => below.ReleaseWhenEmpty();

    public override void Dispose()
    {
        Unsent.Discard();
        below.Dispose();
    }
}

/// <summary>A layer that sends its bytes in encoded form: it encodes a chunk, and counts the bytes of it whose encoded form is sent.</summary>
internal abstract class EncodingPipe(BytePipe below, BufferPool? pool = null) : LayerPipe(below, pool)
{
    private readonly Queue<(int GivenBytes, int UnsentBytes)> _parts = new(); // of the chunk, as it was encoded
    private int _chunkBytes; // unencoded bytes whose encoded form waits to be sent
    private int _goneBytes; // encoded bytes of the chunk that are sent and not counted
    private bool _hasEndedBelow;

    public sealed override int CommittedBytes => _chunkBytes;

    /// <summary>True when the end of our stream was encoded.</summary>
    protected bool HasEnded { get; private set; }

    public sealed override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        while (true)
        {
            int waiting = Unsent.Count;
            PipeStatus status = SendEncoded();
            if (status != PipeStatus.Ready)
            {
                _goneBytes += waiting - Unsent.Count;
                count += CountGone();
                return status;
            }

            count += _chunkBytes;
            (_chunkBytes, _goneBytes) = (0, 0);
            _parts.Clear();
            if (HasEnded && !_hasEndedBelow)
            {
                _hasEndedBelow = true;
                Below.FinishSending();
            }

            if (count >= bytes.Length)
                return PipeStatus.Ready;
            _chunkBytes = Encode(bytes[count..]);
            if (_chunkBytes == 0)
                return PipeStatus.Failed;
        }
    }

    public sealed override void FinishSending()
    {
        if (HasEnded || !IsOpen)
            return;
        HasEnded = true;
        EncodeEnd();
        Send([], out _);
    }

    protected virtual PipeStatus SendEncoded() => Unsent.SendTo(Below);

    /// <summary>Adds a part of the chunk that is encoded separately, and that the peer can use only when it is complete.</summary>
    /// <param name="givenBytes">Bytes before encoding.</param>
    /// <param name="unsentBytes">Bytes of its encoded form that wait to be sent.</param>
    protected void AddPart(int givenBytes, int unsentBytes) => _parts.Enqueue((givenBytes, unsentBytes));

    // Counts the parts of the chunk whose encoded form is sent: should the connection break now, the peer has them.
    private int CountGone()
    {
        int counted = 0;
        while (_parts.TryPeek(out (int GivenBytes, int UnsentBytes) part) && part.UnsentBytes <= _goneBytes)
        {
            _parts.Dequeue();
            counted += part.GivenBytes;
            _goneBytes -= part.UnsentBytes;
        }

        _chunkBytes -= counted;
        return counted;
    }

    /// <summary>Encodes the next chunk, and adds its parts; returns its length, 0 when the layer has failed.</summary>
    protected abstract int Encode(ReadOnlySpan<byte> bytes);

    protected abstract void EncodeEnd();
}
