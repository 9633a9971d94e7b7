using PerfCommon.Transport;

namespace Fuzz;

/// <summary>
/// A peer that sends the bytes it was given in pieces that follow from them, ends its stream, and takes whatever it is sent.
/// </summary>
internal sealed class BytesPipe(byte[] bytes) : BytePipe
{
    private int _at;

    public override string? Failure => null;

    public override PipeStatus Receive(Span<byte> room, out int count)
    {
        count = Math.Min(room.Length, PieceAt(bytes, _at));
        bytes.AsSpan(_at, count).CopyTo(room);
        _at += count;
        return count == 0 ? PipeStatus.Ended : PipeStatus.Ready;
    }

    /// <summary>Bytes of the piece that begins somewhere, 0 at the end.</summary>
    public static int PieceAt(ReadOnlySpan<byte> bytes, int at) =>
        at == bytes.Length ? 0 : Math.Min(bytes.Length - at, 1 + (bytes[at] * 37 + at) % 400);

    public override PipeStatus Send(ReadOnlySpan<byte> toSend, out int count)
    {
        count = toSend.Length;
        return PipeStatus.Ready;
    }

    public override void FinishSending()
    {
        // nobody waits for it
    }

    public override void Dispose()
    {
        // it holds nothing
    }
}
