using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>A pipe whose received bytes are recorded ones, split as a test requires; sent bytes are collected.</summary>
/// <param name="bytes">Everything the peer sends.</param>
/// <param name="split">Offset where the first piece ends; 0 for one piece, -1 for pieces of one byte.</param>
internal sealed class PiecesPipe(byte[] bytes, int split) : BytePipe
{
    private readonly MemoryStream _sent = new();
    private int _at;
    private bool _paused;

    public byte[] Sent => _sent.ToArray();

    public bool IsEmpty => _at == bytes.Length;

    public bool OutputEnded { get; private set; }

    public override string? Failure => null;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = 0;
        if (IsEmpty)
            return PipeStatus.Wait;
        _paused = !_paused;
        if (_paused)
            return PipeStatus.Wait; // before every piece
        int end = split < 0 ? _at + 1 : _at < split ? split : bytes.Length;
        count = Math.Min(room.Length, end - _at);
        bytes.AsSpan(_at, count).CopyTo(room);
        _at += count;
        return PipeStatus.Wait;
    }

    public override PipeStatus Send(ReadOnlySpan<byte> bytes, out int count)
    {
        _sent.Write(bytes);
        count = bytes.Length;
        return PipeStatus.Ready;
    }

    public override void FinishSending() => OutputEnded = true;

    public override void Dispose() => _sent.Dispose();
}
