using System.Numerics;
using System.Runtime.InteropServices;
using PerfCommon.Codec;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfHub.FanOut;

/// <summary>
/// Encodes batches of messages for connections; the next connection that receives the same messages on the same streams gets a copy.
/// </summary>
/// <remarks>
/// Consumers that request the same items in the same order have the same stream ids: their messages are the same, byte for byte. A batch is kept once
/// it begins like the one before, so that other consumers pay no more than that comparison. One owner thread.
/// </remarks>
internal sealed class FanOutBatch
{
    private const int WorthKeeping = 4; // messages

    private Delivery[] _kept = [];
    private int _keptCount;
    private byte[] _bytes = [];
    private int _byteCount;
    private int _bytesBeforeLast;
    private int _headBytes;
    private Delivery _first; // of the batch before
    private int _count;

    /// <summary>The messages encoded for other connections, in frames or in packs; valid until others are encoded.</summary>
    public EncodedBatch Made => new(_bytes.AsSpan(0, _byteCount), _keptCount, _bytesBeforeLast, _headBytes);

    /// <summary>Length of the longest of them.</summary>
    public int MadeMaxBytes { get; private set; }

    /// <summary>True for messages that were encoded for other connections: <see cref="Made"/> has them.</summary>
    /// <param name="messages">At least one.</param>
    public bool IsMade(ReadOnlySpan<Delivery> messages) => messages.Length == _keptCount
        && MemoryMarshal.AsBytes(messages).SequenceEqual(MemoryMarshal.AsBytes(_kept.AsSpan(0, _keptCount)));

    /// <summary>Discards the kept batch: the bytes that deliveries refer to change, so nothing later is the same.</summary>
    public void Invalidate() => (_keptCount, _count) = (0, 0);

    /// <summary>Returns the first messages that are counted alike, which are sent as a batch.</summary>
    /// <param name="rest">At least one message.</param>
    public AlikeMessages Front(ReadOnlySpan<Delivery> rest)
    {
        if (IsMade(rest))
            return new AlikeMessages(rest, MadeMaxBytes, isMade: true);
        MessageKind kind = rest[0].Kind;
        int count = 1;
        int maxBytes = rest[0].Length;
        for (; count < rest.Length && rest[count].Kind == kind; count++)
            maxBytes = Math.Max(maxBytes, rest[count].Length);
        return new AlikeMessages(rest[..count], maxBytes, isMade: false);
    }

    /// <summary>Encodes messages into a batch, up to its capacity.</summary>
    /// <param name="run">The batch; it was begun for the longest message.</param>
    /// <param name="bytes">The bytes of the messages.</param>
    /// <param name="alike">The messages, as returned by <see cref="Front"/>.</param>
    /// <returns>Messages written.</returns>
    public int Fill(ref SendBatch run, MessageBytes bytes, in AlikeMessages alike)
    {
        ReadOnlySpan<Delivery> messages = alike.Messages;
        if (alike.IsMade && run.TryAdd(Made))
            return messages.Length;
        int written = Make(ref run, bytes, messages);
        bool isLikeLast = messages.Length == _count && messages[0] == _first;
        (_first, _count) = (messages[0], messages.Length);
        if (isLikeLast && written == messages.Length && written >= WorthKeeping)
            Keep(alike, run.Made);
        return written;
    }

    // The local copy of the batch is kept in registers.
    private static int Make(ref SendBatch target, MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        SendBatch run = target;
        int written = 0;
        do
        {
            ref readonly Delivery one = ref alike[written++];
            Span<byte> room = run.Room;
            bytes.Of(one).CopyTo(room);
            MsgPatch.SetStreamId(room, one.StreamId);
            if (one.IsAnswer)
                MsgPatch.AddFlags(room, RefreshFlags.Solicited);
            run.End(one.Length);
        }
        while (written < alike.Length && run.HasRoom);

        target = run;
        return written;
    }

    private void Keep(in AlikeMessages alike, in EncodedBatch made)
    {
        ReadOnlySpan<Delivery> messages = alike.Messages;
        if (_kept.Length < messages.Length)
            _kept = new Delivery[BitOperations.RoundUpToPowerOf2((uint)messages.Length)];
        if (_bytes.Length < made.Bytes.Length)
            _bytes = new byte[BitOperations.RoundUpToPowerOf2((uint)made.Bytes.Length)];
        messages.CopyTo(_kept);
        made.Bytes.CopyTo(_bytes);
        MadeMaxBytes = alike.MaxBytes;
        (_keptCount, _byteCount, _bytesBeforeLast, _headBytes) = (messages.Length, made.Bytes.Length, made.BytesBeforeLast, made.HeadBytes);
    }
}

/// <summary>Consecutive messages for one connection that are counted alike.</summary>
/// <param name="messages">At least one.</param>
/// <param name="maxBytes">Length of the longest of them.</param>
/// <param name="isMade">True when the same messages were encoded for another connection.</param>
internal readonly ref struct AlikeMessages(ReadOnlySpan<Delivery> messages, int maxBytes, bool isMade)
{
    /// <summary>The messages, at least one.</summary>
    public ReadOnlySpan<Delivery> Messages { get; } = messages;

    /// <summary>Length of the longest of them.</summary>
    public int MaxBytes { get; } = maxBytes;

    /// <summary>True when the same messages were encoded for another connection: <see cref="FanOutBatch.Made"/> has them.</summary>
    public bool IsMade { get; } = isMade;

    /// <summary>The kind under which they are counted.</summary>
    public MessageKind Kind => Messages[0].Kind;
}
