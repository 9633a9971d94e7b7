using System.Buffers.Binary;

namespace LatencyPerf.Protocol;

/// <summary>The kinds of datagrams (docs/wire/roundtrip.md 2).</summary>
internal enum DatagramKind : byte
{
    None = 0,
    Announce = 1,
    Welcome = 2,
    Refuse = 3,
    Start = 4,
    Ready = 5,
    Prime = 6,
    Primed = 7,
    Data = 8,
    Reply = 9,
    Ack = 10,
    Nack = 11,
    Heartbeat = 12,
    End = 13,
    Ended = 14,
}

/// <summary>The properties of a datagram besides its kind.</summary>
[Flags]
internal enum DatagramMarks : byte
{
    None = 0,
    Reliable = 1,
    AckWanted = 2,
    Resent = 4,
    NoEcho = 8,
    Lead = 16,
    AnsweredByGroup = 32,
    Interrupted = 64,
}

/// <summary>The 24 bytes before every datagram, big-endian.</summary>
/// <param name="Kind">The kind of datagram.</param>
/// <param name="DomainId">The domain that separates tests, 0 to 232.</param>
/// <param name="From">0 for the publisher, else the subscriber's cookie.</param>
/// <param name="Marks">Its properties besides its kind.</param>
/// <param name="Session">Drawn by the publisher; 0 before a subscriber knows it.</param>
/// <param name="Length">The number of bytes after the header.</param>
/// <param name="Sequence">The number of the round, or a number that the kind defines.</param>
internal readonly record struct DatagramHeader(
    DatagramKind Kind, int DomainId, int From, DatagramMarks Marks, uint Session, int Length, ulong Sequence)
{
    /// <summary>Bytes of a header.</summary>
    public const int Bytes = 24;

    private const ushort Magic = 0x5254;
    public const byte Version = 1;
    private const int KindAt = 3, FromAt = 6, MarksAt = 7, SequenceAt = 16;

    public bool Has(DatagramMarks mark) => (Marks & mark) != 0;

    /// <summary>Reads the header of a datagram; false when it is none of ours, or its length is not that of the received bytes.</summary>
    public static bool TryRead(ReadOnlySpan<byte> datagram, out DatagramHeader header)
    {
        header = default;
        if (datagram.Length < Bytes || BinaryPrimitives.ReadUInt16BigEndian(datagram) != Magic || datagram[2] != Version)
            return false;
        header = new(
            (DatagramKind)datagram[KindAt],
            BinaryPrimitives.ReadUInt16BigEndian(datagram[4..]),
            datagram[FromAt],
            (DatagramMarks)datagram[MarksAt],
            BinaryPrimitives.ReadUInt32BigEndian(datagram[8..]),
            BinaryPrimitives.ReadUInt16BigEndian(datagram[12..]),
            BinaryPrimitives.ReadUInt64BigEndian(datagram[SequenceAt..]));
        return header.Kind is >= DatagramKind.Announce and <= DatagramKind.Ended && header.Length == datagram.Length - Bytes
            && BinaryPrimitives.ReadUInt16BigEndian(datagram[14..]) == 0;
    }

    /// <summary>Reads the sender of an announcement in another version; the first eight bytes are the same in every version.</summary>
    public static bool TryReadOtherVersion(ReadOnlySpan<byte> datagram, out int domainId, out int from)
    {
        (domainId, from) = (0, 0);
        if (datagram.Length < Bytes || BinaryPrimitives.ReadUInt16BigEndian(datagram) != Magic || datagram[2] == Version
            || datagram[KindAt] != (byte)DatagramKind.Announce)
        {
            return false;
        }

        (domainId, from) = (BinaryPrimitives.ReadUInt16BigEndian(datagram[4..]), datagram[FromAt]);
        return true;
    }

    /// <summary>Reads the bytes of a datagram with its header; negative when the header is none of ours.</summary>
    public static int ReadTotal(ReadOnlySpan<byte> header) =>
        BinaryPrimitives.ReadUInt16BigEndian(header) == Magic ? Bytes + BinaryPrimitives.ReadUInt16BigEndian(header[12..]) : -1;

    /// <summary>Writes the header at the beginning of a datagram.</summary>
    public void Write(Span<byte> datagram)
    {
        BinaryPrimitives.WriteUInt16BigEndian(datagram, Magic);
        datagram[2] = Version;
        datagram[KindAt] = (byte)Kind;
        BinaryPrimitives.WriteUInt16BigEndian(datagram[4..], (ushort)DomainId);
        datagram[FromAt] = (byte)From;
        datagram[MarksAt] = (byte)Marks;
        BinaryPrimitives.WriteUInt32BigEndian(datagram[8..], Session);
        BinaryPrimitives.WriteUInt16BigEndian(datagram[12..], (ushort)Length);
        BinaryPrimitives.WriteUInt16BigEndian(datagram[14..], 0);
        BinaryPrimitives.WriteUInt64BigEndian(datagram[SequenceAt..], Sequence);
    }

    /// <summary>Turns a received data packet into its reply, in place.</summary>
    public static void TurnIntoReply(Span<byte> datagram, DatagramKind kind, int from, DatagramMarks marks)
    {
        datagram[KindAt] = (byte)kind;
        datagram[FromAt] = (byte)from;
        datagram[MarksAt] = (byte)marks;
    }

    /// <summary>Writes another number and other marks into a datagram that is sent repeatedly.</summary>
    public static void Renew(Span<byte> datagram, ulong sequence, DatagramMarks marks)
    {
        datagram[MarksAt] = (byte)marks;
        BinaryPrimitives.WriteUInt64BigEndian(datagram[SequenceAt..], sequence);
    }

    /// <summary>Marks a datagram that is sent once more.</summary>
    public static void MarkResent(Span<byte> datagram) => datagram[MarksAt] |= (byte)DatagramMarks.Resent;
}
