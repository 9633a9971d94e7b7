using System.Buffers.Binary;

namespace PerfCommon.Transport;

internal sealed partial class FrameReader
{
    // Maximum of pings, empty packs, fragments and empty bodies at a time, before other channels of the thread are served.
    private const int MaxFramesPerLook = 1_024;

    private readonly int _maxMessageBytes = info.MaxMessageBytes;
    private readonly int _fragmentIdBytes = info.FragmentIdBytes;
    private readonly FragmentTable _fragments = new(options, pool);

    /// <summary>True when the last call ended early: further frames have already arrived.</summary>
    public bool HasPaused { get; private set; }

    /// <summary>Processes frames of every kind until one completes a message, or the maximum number did not.</summary>
    private bool TryReadOther(out ReadOnlySpan<byte> message)
    {
        message = default;
        HasPaused = false;
        for (int frames = 0; Problem is null; frames++)
        {
            HasPaused = frames == MaxFramesPerLook;
            if (HasPaused || !TryReadFrame(out int at, out int length))
                return false;
            byte flags = (byte)(_array[at + 2] & FrameLayout.KnownFlags); // wire/transport 2.1
            if (length == FrameLayout.HeaderBytes)
                Pings++; // wire/transport 2.2
            else if (TryReadBody(at, length, flags, out message) || (_packEnd != 0 && TryReadPacked(out message)))
                return true;
        }

        return false;
    }

    /// <summary>Skips the next frame when it is complete and its length allowed.</summary>
    private bool TryReadFrame(out int at, out int length)
    {
        at = _at;
        length = 0;
        int held = _end - at;
        if (held < FrameLayout.PackedLengthBytes)
            return false;
        length = BinaryPrimitives.ReadUInt16BigEndian(_array.AsSpan(at));
        if (length < FrameLayout.HeaderBytes)
            Fail($"a frame says it is {length} bytes long"); // wire/transport 10
        else if (length > _largestFrame)
            Fail($"a frame of {length} bytes is longer than the {_largestFrame} agreed", CloseKind.LimitExceeded); // wire/transport 10
        if (Problem is not null || length > held)
            return false;
        _at = at + length;
        return true;
    }

    /// <returns>True with a message; false when a pack was opened, a fragment or part was kept, or an error was found.</returns>
    private bool TryReadBody(int at, int length, byte flags, out ReadOnlySpan<byte> message)
    {
        message = default;
        if ((flags & (FrameLayout.DataFlag | FrameLayout.CompressedFlag)) == 0)
            return Fail($"a frame with flags {_array[at + 2]:x2} carries no data"); // wire/transport 10

        byte[] array = _array;
        int bodyAt = at + FrameLayout.HeaderBytes;
        int bodyEnd = at + length;
        Fragment fragment = default;
        bool isBody = (flags & FrameLayout.CompressedFlag) != 0
            ? TryInflate(ref array, ref bodyAt, ref bodyEnd, ref flags, ref fragment)
            : (flags & FrameLayout.ExtendedFlag) == 0 || TryReadExtended(array, ref bodyAt, bodyEnd, out fragment);
        if (!isBody)
            return false;
        if (fragment.Kind != 0)
            return TryAddFragment(fragment, array.AsSpan(bodyAt, bodyEnd - bodyAt), out message);
        if ((flags & FrameLayout.PackedFlag) != 0)
        {
            OpenPack(array, bodyAt, bodyEnd - bodyAt);
            return false;
        }

        if (bodyAt == bodyEnd)
            return false; // a compressed empty body
        message = array.AsSpan(bodyAt, bodyEnd - bodyAt);
        _messagesRead++;
        return true;
    }

    /// <summary>Reads the members after the extended flags.</summary>
    private bool TryReadExtended(byte[] array, ref int at, int end, out Fragment fragment) // wire/transport 4
    {
        fragment = default;
        int kind = array[at++] & (FrameLayout.FirstFragment | FrameLayout.ContinuationFragment);
        int needed = _fragmentIdBytes + (kind == FrameLayout.FirstFragment ? 4 : 0);
        if (kind is not (FrameLayout.FirstFragment or FrameLayout.ContinuationFragment))
            return Fail("a frame with extended flags is no fragment"); // wire/transport 10
        if (end - at < needed)
            return Fail("a fragment is shorter than its header"); // wire/transport 10
        uint total = 0;
        if (kind == FrameLayout.FirstFragment)
        {
            total = BinaryPrimitives.ReadUInt32BigEndian(array.AsSpan(at));
            at += 4;
        }

        int id = _fragmentIdBytes == 2 ? BinaryPrimitives.ReadUInt16BigEndian(array.AsSpan(at)) : array[at];
        at += _fragmentIdBytes;
        fragment = new Fragment(kind, id, total);
        return true;
    }

    private bool TryAddFragment(Fragment fragment, ReadOnlySpan<byte> data, out ReadOnlySpan<byte> message)
    {
        bool isWhole = _fragments.TryAdd(fragment, data, out message, out CloseReason? problem);
        if (problem is not null)
            Fail(problem);
        if (isWhole)
            _messagesRead++;
        return isWhole;
    }
}
