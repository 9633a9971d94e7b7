using System.Numerics;
using System.Runtime.InteropServices;
using PerfCommon.Codec;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfHub.FanOut;

/// <summary>Makes what a connection gets; the next one that gets the same messages on the same streams gets a copy.</summary>
/// <remarks>
/// Consumers that ask for the same items in the same order have the same stream ids: what they get is the same, byte for byte. A run is kept
/// once it begins like the one before, so that others cost no more than that look. One owner thread.
/// </remarks>
internal sealed class RunMaker
{
    private const int WorthKeeping = 4; // messages

    private Delivery[] _kept = [];
    private int _keptCount;
    private byte[] _bytes = [];
    private int _byteCount;
    private int _bytesBeforeLast;
    private int _headBytes;
    private Delivery _first; // of the run before
    private int _count;

    /// <summary>The messages that were made for others, in frames or in packs; until others are filled in.</summary>
    public MadeRun Made => new(_bytes.AsSpan(0, _byteCount), _keptCount, _bytesBeforeLast, _headBytes);

    /// <summary>The longest of them.</summary>
    public int MadeMaxBytes { get; private set; }

    /// <summary>True for messages that were made for others: <see cref="Made"/> are they.</summary>
    /// <param name="messages">One at least.</param>
    public bool IsMade(ReadOnlySpan<Delivery> messages) => messages.Length == _keptCount
        && MemoryMarshal.AsBytes(messages).SequenceEqual(MemoryMarshal.AsBytes(_kept.AsSpan(0, _keptCount)));

    /// <summary>What messages refer to changes: nothing that follows is the same.</summary>
    public void Forget() => (_keptCount, _count) = (0, 0);

    /// <summary>The messages at the front that are counted alike, which go out in runs.</summary>
    /// <param name="rest">One message at least.</param>
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

    /// <summary>Puts messages into a run, as many as it has room for.</summary>
    /// <param name="run">Where they go; it was begun for the longest of them.</param>
    /// <param name="bytes">Their bytes.</param>
    /// <param name="alike">They, as <see cref="Front"/> told.</param>
    /// <returns>How many were written.</returns>
    public int Fill(ref MessageRun run, MessageBytes bytes, in AlikeMessages alike)
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

    // The run lives in registers here.
    private static int Make(ref MessageRun target, MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        MessageRun run = target;
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

    private void Keep(in AlikeMessages alike, in MadeRun made)
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

/// <summary>Messages for one connection, one after the other, that are counted alike.</summary>
/// <param name="messages">One at least.</param>
/// <param name="maxBytes">The longest of them.</param>
/// <param name="isMade">True when the same were made for another connection.</param>
internal readonly ref struct AlikeMessages(ReadOnlySpan<Delivery> messages, int maxBytes, bool isMade)
{
    /// <summary>One at least.</summary>
    public ReadOnlySpan<Delivery> Messages { get; } = messages;

    /// <summary>The longest of them.</summary>
    public int MaxBytes { get; } = maxBytes;

    /// <summary>True when the same were made for another connection: <see cref="RunMaker.Made"/> are they.</summary>
    public bool IsMade { get; } = isMade;

    /// <summary>As what they are counted.</summary>
    public MessageKind Kind => Messages[0].Kind;
}
