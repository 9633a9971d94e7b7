using System.Buffers.Binary;

namespace PerfCommon.Tests;

/// <summary>Extracts the messages from the frames of one direction: plain, packed, fragmented.</summary>
/// <remarks>For tests only, so that our frames are not checked by our own reader.</remarks>
/// <param name="fragmentIdBytes">Bytes of a fragment id: 2 from version 13 on.</param>
internal sealed class MessageSplitter(int fragmentIdBytes)
{
    private const uint FirstVersionWithLongIds = 0x16; // version 13 as encoded in a connect request
    private const int VersionAt = 3;
    private const int HeaderBytes = 3;
    private const int TotalBytes = sizeof(uint);
    private const byte ExtendedFlag = 0x01;
    private const byte PackedFlag = 0x10;
    private const byte FirstFragment = 0x08;

    private readonly Dictionary<int, (byte[] Message, int Filled, (int, int) Start)> _open = [];

    /// <summary>Number of messages of which only some fragments have arrived.</summary>
    public int OpenMessages => _open.Count;

    /// <summary>Bytes of a fragment id on a connection that began with this connect request.</summary>
    public static int FragmentIdBytes(ReadOnlySpan<byte> connectRequest) =>
        BinaryPrimitives.ReadUInt32BigEndian(connectRequest[VersionAt..]) < FirstVersionWithLongIds ? 1 : 2;

    /// <summary>Returns the messages that this frame completes, and their start positions.</summary>
    public IEnumerable<(byte[] Message, (int Frame, int Offset) Start)> Take(byte[] frame, int number)
    {
        byte flags = frame[2];
        if ((flags & ExtendedFlag) != 0)
            return TakeFragment(frame, number);
        return (flags & PackedFlag) != 0
            ? TakePack(frame, number)
            : frame.Length == HeaderBytes ? [] : [(frame[HeaderBytes..], (number, HeaderBytes))];
    }

    private static IEnumerable<(byte[] Message, (int Frame, int Offset) Start)> TakePack(byte[] frame, int number)
    {
        for (int at = HeaderBytes; at < frame.Length;)
        {
            int length = BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(at));
            at += sizeof(ushort);
            yield return (frame.AsSpan(at, length).ToArray(), (number, at));
            at += length;
        }
    }

    // extended flags u8 | total length u32, first fragment only | id | bytes
    private IEnumerable<(byte[] Message, (int Frame, int Offset) Start)> TakeFragment(byte[] frame, int number)
    {
        bool isFirst = (frame[HeaderBytes] & FirstFragment) != 0;
        int idAt = HeaderBytes + 1 + (isFirst ? TotalBytes : 0);
        int id = fragmentIdBytes == 1 ? frame[idAt] : BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(idAt));
        int at = idAt + fragmentIdBytes;
        if (isFirst)
        {
            uint total = BinaryPrimitives.ReadUInt32BigEndian(frame.AsSpan(HeaderBytes + 1));
            _open[id] = (new byte[total], 0, (number, at));
        }

        (byte[] message, int filled, (int, int) start) = _open[id];
        frame.AsSpan(at).CopyTo(message.AsSpan(filled));
        filled += frame.Length - at;
        _open[id] = (message, filled, start);
        if (filled < message.Length)
            return [];
        _open.Remove(id);
        return [(message, start)];
    }
}
