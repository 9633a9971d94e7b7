using PerfCommon.Transport;

namespace Fuzz;

/// <summary>
/// A peer that sends the given bytes in pieces whose sizes they determine, ends its stream, and accepts everything sent to it.
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

    /// <summary>Returns the size of the piece that begins at an offset, 0 at the end.</summary>
    public static int PieceAt(ReadOnlySpan<byte> bytes, int at) =>
        at == bytes.Length ? 0 : Math.Min(bytes.Length - at, 1 + (bytes[at] * 37 + at) % 400);

    public override PipeStatus Send(ReadOnlySpan<byte> toSend, out int count)
    {
        count = toSend.Length;
        return PipeStatus.Ready;
    }

    public override void FinishSending()
    {
        // no wait is in progress
    }

    public override void Dispose()
    {
        // it has no resources
    }
}
