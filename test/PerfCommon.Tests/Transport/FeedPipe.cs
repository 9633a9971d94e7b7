using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>A pipe whose peer is the test: received bytes are fed in pieces, sent bytes are collected.</summary>
internal sealed class FeedPipe : BytePipe
{
    private readonly Queue<ReadOnlyMemory<byte>> _pieces = new();
    private byte[] _sent = new byte[1024];
    private int _sentBytes;

    /// <summary>Bytes that the pipe still accepts; then it returns Wait.</summary>
    public int SendRoom { get; set; } = int.MaxValue;

    /// <summary>Value of a layer that encodes records.</summary>
    public int LayerRecordBytes { get; set; }

    public override int RecordBytes => LayerRecordBytes;

    /// <summary>Bytes after those accepted that a layer has encoded already.</summary>
    public int LayerCommittedBytes { get; set; }

    public override int CommittedBytes => LayerCommittedBytes;

    /// <summary>True while a layer has bytes to send itself.</summary>
    public bool LayerHasUnsent { get; set; }

    public override bool HasUnsent => LayerHasUnsent;

    /// <summary>True for a connection on which nothing can be sent any more.</summary>
    public bool SendingFails { get; set; }

    public bool InputEnds { get; set; }

    /// <summary>Bytes that the peer sends repeatedly after the pieces, as fast as they are read; empty for none.</summary>
    public byte[] Endless { get; set; } = [];

    /// <summary>Bytes of <see cref="Endless"/> that were received.</summary>
    public long EndlessBytes { get; private set; }

    public bool OutputEnded { get; private set; }

    public bool IsDisposed { get; private set; }

    public ReadOnlySpan<byte> Sent => _sent.AsSpan(0, _sentBytes);

    public int SentBytes => _sentBytes;

    public override string? Failure => null;

    public void Feed(ReadOnlyMemory<byte> piece)
    {
        if (piece.Length > 0)
            _pieces.Enqueue(piece);
    }

    public void ClearSent() => _sentBytes = 0;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        if (_pieces.Count == 0 && Endless.Length > 0)
            return ReceiveEndless(room, out count);
        if (!_pieces.TryDequeue(out ReadOnlyMemory<byte> piece))
            return InputEnds ? PipeStatus.Ended : PipeStatus.Wait;
        count = Math.Min(room.Length, piece.Length);
        piece.Span[..count].CopyTo(room);
        if (count < piece.Length)
            PutBack(piece[count..]);
        return _pieces.Count > 0 || InputEnds ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        if (SendingFails)
            return PipeStatus.Failed;
        count = Math.Min(bytes.Length, SendRoom);
        SendRoom -= SendRoom == int.MaxValue ? 0 : count;
        if (_sent.Length < _sentBytes + count)
            Array.Resize(ref _sent, 2 * (_sentBytes + count));
        bytes[..count].CopyTo(_sent.AsSpan(_sentBytes));
        _sentBytes += count;
        return count == bytes.Length ? PipeStatus.Ready : PipeStatus.Wait;
    }

    public override void FinishSending() => OutputEnded = true;

    public override void Dispose() => IsDisposed = true;

    private PipeStatus ReceiveEndless(Span<byte> room, out int count)
    {
        for (count = 0; count < room.Length; count++, EndlessBytes++)
            room[count] = Endless[EndlessBytes % Endless.Length];
        return PipeStatus.Ready;
    }

    private void PutBack(ReadOnlyMemory<byte> rest)
    {
        ReadOnlyMemory<byte>[] others = [.. _pieces];
        _pieces.Clear();
        _pieces.Enqueue(rest);
        foreach (ReadOnlyMemory<byte> other in others)
            _pieces.Enqueue(other);
    }
}
