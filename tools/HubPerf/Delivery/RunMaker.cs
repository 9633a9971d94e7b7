using System.Numerics;
using System.Runtime.InteropServices;
using PerfCommon.Codec;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace HubPerf.Delivery;

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
    private int _maxBytes;
    private Delivery _first; // of the run before
    private int _count;

    private ReadOnlySpan<Delivery> Kept => _kept.AsSpan(0, _keptCount);

    /// <summary>What messages refer to changes: nothing that follows is the same.</summary>
    public void Forget() => (_keptCount, _count) = (0, 0);

    /// <summary>The messages at the front that are counted alike, which go out in runs.</summary>
    /// <param name="rest">One message at least.</param>
    /// <param name="maxBytes">The longest of them.</param>
    public int CountAlike(ReadOnlySpan<Delivery> rest, out int maxBytes)
    {
        if (IsKept(rest))
        {
            maxBytes = _maxBytes;
            return rest.Length;
        }

        MessageKind kind = rest[0].Kind;
        maxBytes = 0;
        for (int i = 0; i < rest.Length; i++)
        {
            if (rest[i].Kind != kind)
                return i;
            maxBytes = Math.Max(maxBytes, rest[i].Length);
        }

        return rest.Length;
    }

    /// <summary>Puts messages into a run, as many as it has room for.</summary>
    /// <param name="run">Where they go; it was begun for the longest of them.</param>
    /// <param name="bytes">Their bytes.</param>
    /// <param name="alike">One message at least, all of one kind.</param>
    /// <returns>How many were written.</returns>
    public int Fill(ref MessageRun run, MessageBytes bytes, ReadOnlySpan<Delivery> alike)
    {
        if (IsKept(alike) && run.TryAdd(new MadeRun(_bytes.AsSpan(0, _byteCount), _keptCount, _bytesBeforeLast, _headBytes)))
            return alike.Length;
        int written = Make(ref run, bytes, alike);
        bool isLikeLast = alike.Length == _count && alike[0] == _first;
        (_first, _count) = (alike[0], alike.Length);
        if (isLikeLast && written == alike.Length && written >= WorthKeeping)
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
                MsgPatch.AddToWideFlags(room, RefreshFlags.Solicited);
            run.End(one.Length);
        }
        while (written < alike.Length && run.HasRoom);

        target = run;
        return written;
    }

    private bool IsKept(ReadOnlySpan<Delivery> messages) => messages.Length == _keptCount
        && MemoryMarshal.AsBytes(messages).SequenceEqual(MemoryMarshal.AsBytes(Kept));

    private void Keep(ReadOnlySpan<Delivery> alike, in MadeRun made)
    {
        if (_kept.Length < alike.Length)
            _kept = new Delivery[BitOperations.RoundUpToPowerOf2((uint)alike.Length)];
        if (_bytes.Length < made.Bytes.Length)
            _bytes = new byte[BitOperations.RoundUpToPowerOf2((uint)made.Bytes.Length)];
        alike.CopyTo(_kept);
        made.Bytes.CopyTo(_bytes);
        _maxBytes = 0;
        foreach (ref readonly Delivery one in alike)
            _maxBytes = Math.Max(_maxBytes, one.Length);
        (_keptCount, _byteCount, _bytesBeforeLast, _headBytes) = (alike.Length, made.Bytes.Length, made.BytesBeforeLast, made.HeadBytes);
    }
}
