using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace LatencyPerf.Protocol;

/// <summary>A group and its port in 18 bytes: an address of 16, version 4 mapped into 6, all zero for none; then the port.</summary>
internal static class GroupField
{
    public const int Bytes = 18;
    private const int AddressBytes = 16;

    public static void Write(Span<byte> field, IPEndPoint? group)
    {
        field[..Bytes].Clear();
        if (group is null)
            return;
        group.Address.MapToIPv6().TryWriteBytes(field, out _);
        BinaryPrimitives.WriteUInt16BigEndian(field[AddressBytes..], (ushort)group.Port);
    }

    /// <summary>Reads a group; null when the field is empty, false when it is no group.</summary>
    public static bool TryRead(ReadOnlySpan<byte> field, out IPEndPoint? group)
    {
        group = null;
        if (field[..Bytes].IndexOfAnyExcept((byte)0) < 0)
            return true;
        IPAddress address = new(field[..AddressBytes]);
        if (address.IsIPv4MappedToIPv6)
            address = address.MapToIPv4();
        group = new IPEndPoint(address, BinaryPrimitives.ReadUInt16BigEndian(field[AddressBytes..]));
        return Groups.IsGroup(address);
    }
}

/// <summary>Decides which addresses are groups.</summary>
internal static class Groups
{
    private const int FirstOctet = 224, LastOctet = 239, MulticastPrefix = 0xFF;

    /// <summary>True for 224.0.1.0 to 239.255.255.255 and ff00::/8; the first 256 are the routers' own.</summary>
    public static bool IsGroup(IPAddress address)
    {
        byte[] bytes = address.GetAddressBytes();
        if (address.AddressFamily == AddressFamily.InterNetworkV6)
            return bytes[0] == MulticastPrefix;
        return bytes[0] is >= FirstOctet and <= LastOctet && !(bytes[0] == FirstOctet && bytes[1] == 0 && bytes[2] == 0);
    }
}

/// <summary>The properties that a subscriber announces.</summary>
/// <param name="Reliable">It was started with <c>-reliable</c>.</param>
/// <param name="NoEcho">It never replies.</param>
/// <param name="Ttl">TTL or hop limit of its datagrams to a group.</param>
/// <param name="Group">The group on which it receives data; null for none.</param>
internal sealed record Announcement(bool Reliable, bool NoEcho, int Ttl, IPEndPoint? Group)
{
    /// <summary>Bytes, filler included: a welcome is never longer than the announcement that requested it.</summary>
    public const int Bytes = 40;

    // options u16 | ttl u8 | family u8 | group | filler
    private const ushort ReliableOption = 1, NoEchoOption = 2;
    private const int GroupAt = 4;
    private const byte Version4 = 4, Version6 = 6;

    public void Write(Span<byte> body)
    {
        body[..Bytes].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(body, (ushort)((Reliable ? ReliableOption : 0) | (NoEcho ? NoEchoOption : 0)));
        body[2] = (byte)Ttl;
        body[3] = Group is null ? (byte)0 : Group.AddressFamily == AddressFamily.InterNetwork ? Version4 : Version6;
        GroupField.Write(body[GroupAt..], Group);
    }

    public static Announcement? TryRead(ReadOnlySpan<byte> body)
    {
        if (body.Length != Bytes || !GroupField.TryRead(body[GroupAt..], out IPEndPoint? group))
            return null;
        int options = BinaryPrimitives.ReadUInt16BigEndian(body);
        return new((options & ReliableOption) != 0, (options & NoEchoOption) != 0, body[2], group);
    }
}

/// <summary>The terms of the test that the publisher sends to a subscriber.</summary>
/// <param name="Place">The place in the order of arrival, from 1.</param>
/// <param name="Subscribers">The number of subscribers.</param>
/// <param name="ReplyGroup">The group for replies; null for the publisher's own address.</param>
/// <param name="NumIter">Samples of each size.</param>
/// <param name="MinBytes">Smallest packet.</param>
/// <param name="MaxBytes">Largest packet.</param>
/// <param name="Window">The number of datagrams kept for sending them again.</param>
internal sealed record WelcomeTerms(int Place, int Subscribers, IPEndPoint? ReplyGroup, long NumIter, int MinBytes, int MaxBytes,
    int Window)
{
    // place u8 | subscribers u8 | group | numIter u64 | min u32 | max u32 | window u16
    public const int Bytes = 38;
    private const int GroupAt = 2, NumIterAt = 20, MinAt = 28, MaxAt = 32, WindowAt = 36;

    public void Write(Span<byte> body)
    {
        (body[0], body[1]) = ((byte)Place, (byte)Subscribers);
        GroupField.Write(body[GroupAt..], ReplyGroup);
        BinaryPrimitives.WriteInt64BigEndian(body[NumIterAt..], NumIter);
        BinaryPrimitives.WriteInt32BigEndian(body[MinAt..], MinBytes);
        BinaryPrimitives.WriteInt32BigEndian(body[MaxAt..], MaxBytes);
        BinaryPrimitives.WriteUInt16BigEndian(body[WindowAt..], (ushort)Window);
    }

    /// <summary>Reads terms that are valid for a test; null for others.</summary>
    public static WelcomeTerms? TryRead(ReadOnlySpan<byte> body)
    {
        if (body.Length != Bytes || !GroupField.TryRead(body[GroupAt..], out IPEndPoint? group))
            return null;
        WelcomeTerms terms = new(
            body[0], body[1], group,
            BinaryPrimitives.ReadInt64BigEndian(body[NumIterAt..]),
            BinaryPrimitives.ReadInt32BigEndian(body[MinAt..]),
            BinaryPrimitives.ReadInt32BigEndian(body[MaxAt..]),
            BinaryPrimitives.ReadUInt16BigEndian(body[WindowAt..]));
        return terms.IsPossible ? terms : null;
    }

    private bool IsPossible => MinBytes >= DataPacket.MinBytes && MaxBytes is <= DataPacket.MaxBytes && MinBytes <= MaxBytes
        && NumIter >= 1 && Windows.IsWindow(Window);
}

/// <summary>The number of datagrams that a reliable test keeps.</summary>
internal static class Windows
{
    public const int Min = 2, Max = 1024, Usual = 64;

    /// <summary>True for a power of two within the limits.</summary>
    public static bool IsWindow(int window) => window is >= Min and <= Max && (window & (window - 1)) == 0;
}

/// <summary>The reasons for refusing a subscriber.</summary>
internal enum RefusalReason : ushort
{
    None = 0,
    Version = 1,
    NotAmongPeers = 2,
    CookieTooHigh = 3,
    CookieInUse = 4,
    ReliableDiffers = 5,
    EchoRule = 6,
    TestRunning = 7,
    GroupsDiffer = 8,
    NotReady = 9,
    GroupUnusable = 10,
}

/// <summary>A refusal: a reason and a text.</summary>
internal sealed record Refusal(RefusalReason Reason, string Text)
{
    public const int MaxTextBytes = 64;
    private const int TextAt = 2;

    public int Write(Span<byte> body)
    {
        BinaryPrimitives.WriteUInt16BigEndian(body, (ushort)Reason);
        string text = Text.Length > MaxTextBytes ? Text[..MaxTextBytes] : Text;
        return TextAt + Encoding.ASCII.GetBytes(text, body[TextAt..]);
    }

    public static Refusal? TryRead(ReadOnlySpan<byte> body) => body.Length is < TextAt or > TextAt + MaxTextBytes
        ? null
        : new((RefusalReason)BinaryPrimitives.ReadUInt16BigEndian(body), Encoding.ASCII.GetString(body[TextAt..]));
}

/// <summary>The missing datagrams of a receiver that a Nack names: bit i is the one i + 1 after the last in order.</summary>
internal static class NackBody
{
    public const int Bytes = 8;
    public const int MaxNamed = 64;
}

/// <summary>The datagrams that a sender still has: the first one kept and the last one sent.</summary>
internal readonly record struct RetainedRange(ulong First, ulong Last)
{
    public const int Bytes = 16;

    public void Write(Span<byte> body)
    {
        BinaryPrimitives.WriteUInt64BigEndian(body, First);
        BinaryPrimitives.WriteUInt64BigEndian(body[8..], Last);
    }

    public static bool TryRead(ReadOnlySpan<byte> body, out RetainedRange range)
    {
        range = default;
        if (body.Length != Bytes)
            return false;
        range = new(BinaryPrimitives.ReadUInt64BigEndian(body), BinaryPrimitives.ReadUInt64BigEndian(body[8..]));
        return true;
    }
}

/// <summary>The counts of a subscriber, sent at the end.</summary>
internal readonly record struct SubscriberCounts
{
    // nine counters u64 | processor i32 | moves u32
    public const int Bytes = 80;
    private const int CounterBytes = 8, ProcessorAt = 72, MovesAt = 76;

    /// <summary>The number of data packets, each counted once.</summary>
    public long Received { get; init; }
    public long Replied { get; init; }

    /// <summary>Gaps in the numbers that were never filled.</summary>
    public long Lost { get; init; }
    public long Duplicates { get; init; }

    /// <summary>Packets that arrived after a later one.</summary>
    public long Late { get; init; }

    /// <summary>Datagrams that were no part of the test.</summary>
    public long Foreign { get; init; }

    /// <summary>Datagrams dropped on arrival by <c>-dropRate</c>.</summary>
    public long Dropped { get; init; }

    /// <summary>Datagrams that the kernel dropped because a socket buffer was full.</summary>
    public long KernelDrops { get; init; }

    /// <summary>Processor time from the first packet to the end, in microseconds.</summary>
    public long CpuMicros { get; init; }

    public Placement Placement { get; init; }

    public void Write(Span<byte> body)
    {
        Span<long> counters = [Received, Replied, Lost, Duplicates, Late, Foreign, Dropped, KernelDrops, CpuMicros];
        for (int i = 0; i < counters.Length; i++)
            BinaryPrimitives.WriteInt64BigEndian(body[(i * CounterBytes)..], counters[i]);
        BinaryPrimitives.WriteInt32BigEndian(body[ProcessorAt..], Placement.Processor);
        BinaryPrimitives.WriteInt32BigEndian(body[MovesAt..], Placement.Moves);
    }

    public static bool TryRead(ReadOnlySpan<byte> body, out SubscriberCounts counts)
    {
        counts = default;
        if (body.Length != Bytes)
            return false;
        Span<long> counters = stackalloc long[ProcessorAt / CounterBytes];
        for (int i = 0; i < counters.Length; i++)
            counters[i] = BinaryPrimitives.ReadInt64BigEndian(body[(i * CounterBytes)..]);
        counts = new()
        {
            Received = counters[0],
            Replied = counters[1],
            Lost = counters[2],
            Duplicates = counters[3],
            Late = counters[4],
            Foreign = counters[5],
            Dropped = counters[6],
            KernelDrops = counters[7],
            CpuMicros = counters[8],
            Placement = new(BinaryPrimitives.ReadInt32BigEndian(body[ProcessorAt..]), BinaryPrimitives.ReadInt32BigEndian(body[MovesAt..])),
        };
        return true;
    }
}

/// <summary>The processor on which the thread of a side ran.</summary>
/// <param name="Processor">The processor last seen; -1 before the first look.</param>
/// <param name="Moves">The number of times it differed from the one before.</param>
internal readonly record struct Placement(int Processor, int Moves)
{
    public static Placement Unknown { get; } = new(-1, 0);

    public Placement See(int processor) => new(processor, Processor >= 0 && processor != Processor ? Moves + 1 : Moves);
}
