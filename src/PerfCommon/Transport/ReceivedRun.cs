using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace PerfCommon.Transport;

/// <summary>The plain messages that stand whole in the received bytes, one after the other, or those of an open pack.</summary>
/// <remarks>
/// Stops before anything else (a ping, a fragment, a compressed, cut or damaged frame), which <see cref="RsslChannel.TryRead"/> deals with.
/// Nothing of the channel is touched before the run is handed back. Keep it in a local variable.
/// </remarks>
/// <param name="held">The bytes from the first frame, or from the first message of the pack.</param>
/// <param name="maxFrameBytes">Largest frame that is accepted; 0 within a pack.</param>
internal ref struct ReceivedRun(ReadOnlySpan<byte> held, int maxFrameBytes)
{
    private readonly ReadOnlySpan<byte> _held = held;
    private readonly int _maxFrameBytes = maxFrameBytes;
    private int _at;

    /// <summary>Messages taken.</summary>
    public int Messages { readonly get; private set; }

    /// <summary>Bytes taken, heads included.</summary>
    public readonly int Bytes => _at;

    /// <summary>Takes the next message.</summary>
    /// <param name="message">The message; empty unless the result is true.</param>
    /// <returns>False at the end of the run.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTake(out ReadOnlySpan<byte> message)
    {
        ReadOnlySpan<byte> rest = _held[_at..];
        if (rest.Length > FrameLayout.HeaderBytes)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(rest);
            bool isPacked = _maxFrameBytes == 0;
            int head = isPacked ? FrameLayout.PackedLengthBytes : FrameLayout.HeaderBytes;
            int end = isPacked ? length + FrameLayout.PackedLengthBytes : length;
            bool isPlain = isPacked || (rest[2] == FrameLayout.DataFlag && length <= _maxFrameBytes);
            if (isPlain && end > head && end <= rest.Length)
            {
                message = rest[head..end];
                _at += end;
                Messages++;
                return true;
            }
        }

        message = default;
        return false;
    }
}
