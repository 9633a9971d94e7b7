using System.Net;
using LatencyPerf.Protocol;

namespace Tools.Tests.LatencyTests;

/// <summary>A datagram of each kind as the wire has it (docs/wire/roundtrip.md 2), and the code that creates ours.</summary>
internal static class GoldenDatagrams
{
    private const string Session = "0000a1b2";
    private static readonly TestIdentity Publisher = new(7, 0, 0xA1B2);
    private static readonly TestIdentity Subscriber = new(7, 3, 0xA1B2);

    /// <summary>The counts of <see cref="DatagramKind.Ended"/>.</summary>
    public static SubscriberCounts Counts { get; } = new()
    {
        Received = 1,
        Replied = 2,
        Lost = 3,
        Duplicates = 4,
        Late = 5,
        Foreign = 6,
        Dropped = 7,
        KernelDrops = 8,
        CpuMicros = 9,
        Placement = new(1, 2),
    };

    /// <summary>Kind, bytes in hex, and the writer.</summary>
    public static IReadOnlyDictionary<DatagramKind, (string Hex, Func<byte[]> Write)> All { get; } =
        new Dictionary<DatagramKind, (string, Func<byte[]>)>
        {
            [DatagramKind.Announce] = (
            "5254 01 01 0007 03 00 00000000 0028 0000 0000000000000000" + "0003 01 04 00000000000000000000ffffe1030201 5229"
                + new string('0', 36),
            () => Write(Subscriber with { Session = 0 }, DatagramKind.Announce, Announcement.Bytes, body =>
                new Announcement(Reliable: true, NoEcho: true, Ttl: 1, new IPEndPoint(IPAddress.Parse("225.3.2.1"), 0x5229)).Write(body))),
            [DatagramKind.Welcome] = (
            $"5254 01 02 0007 00 01 {Session} 0026 0000 0000000000000003"
            + "02 04 00000000000000000000ffffe1010203 522a 00000000000186a0 00000010 00002000 0040",
            () => Write(Publisher, DatagramKind.Welcome, WelcomeTerms.Bytes, body =>
                new WelcomeTerms(2, 4, new IPEndPoint(IPAddress.Parse("225.1.2.3"), 0x522A), 100_000, 16, 8192, 64).Write(body), 3,
                DatagramMarks.Reliable)),
            [DatagramKind.Refuse] = (
            "5254 01 03 0007 00 00 00000000 0009 0000 0000000000000000" + "0004 636f6f6b6965 31",
            () => Write(Publisher with { Session = 0 }, DatagramKind.Refuse, 9,
                body => new Refusal(RefusalReason.CookieInUse, "cookie1").Write(body))),
            [DatagramKind.Start] = ($"5254 01 04 0007 00 01 {Session} 0000 0000 0000000000000000",
            () => Write(Publisher, DatagramKind.Start, 0, _ => { }, 0, DatagramMarks.Reliable)),
            [DatagramKind.Ready] = ($"5254 01 05 0007 03 00 {Session} 0000 0000 0000000000000000",
            () => Write(Subscriber, DatagramKind.Ready, 0, _ => { })),
            [DatagramKind.Prime] = ($"5254 01 06 0007 00 00 {Session} 0012 0000 0000000000000005 0000000000000005 0000000000000009 0221",
            () => WritePacket(Publisher, DatagramKind.Prime, DatagramMarks.None)),
            [DatagramKind.Primed] = ($"5254 01 07 0007 03 00 {Session} 0012 0000 0000000000000005 0000000000000005 0000000000000009 0221",
            () => WritePacket(Subscriber, DatagramKind.Primed, DatagramMarks.None)),
            [DatagramKind.Data] = ($"5254 01 08 0007 00 13 {Session} 0012 0000 0000000000000005 0000000000000005 0000000000000009 0221",
            () => WritePacket(Publisher, DatagramKind.Data, DatagramMarks.Reliable | DatagramMarks.AckWanted | DatagramMarks.Lead)),
            [DatagramKind.Reply] = ($"5254 01 09 0007 03 25 {Session} 0012 0000 0000000000000005 0000000000000005 0000000000000009 0221",
            () => WritePacket(Subscriber, DatagramKind.Reply,
                DatagramMarks.Reliable | DatagramMarks.Resent | DatagramMarks.AnsweredByGroup)),
            [DatagramKind.Ack] = ($"5254 01 0a 0007 03 00 {Session} 0000 0000 0000000000000011",
            () => Write(Subscriber, DatagramKind.Ack, 0, _ => { }, 0x11)),
            [DatagramKind.Nack] = ($"5254 01 0b 0007 03 00 {Session} 0008 0000 0000000000000011 0000000000000005",
            () => Write(Subscriber, DatagramKind.Nack, NackBody.Bytes, body => body[7] = 5, 0x11)),
            [DatagramKind.Heartbeat] = ($"5254 01 0c 0007 00 01 {Session} 0010 0000 0000000000000050 0000000000000011 0000000000000050",
            () => Write(Publisher, DatagramKind.Heartbeat, RetainedRange.Bytes, body => new RetainedRange(0x11, 0x50).Write(body), 0x50,
                DatagramMarks.Reliable)),
            [DatagramKind.End] = ($"5254 01 0d 0007 00 40 {Session} 0000 0000 0000000000000051",
            () => Write(Publisher, DatagramKind.End, 0, _ => { }, 0x51, DatagramMarks.Interrupted)),
            [DatagramKind.Ended] = (
            $"5254 01 0e 0007 03 00 {Session} 0050 0000 0000000000000000"
            + string.Concat(Enumerable.Range(1, 9).Select(i => $"{i:x16}")) + "00000001 00000002",
            () => Write(Subscriber, DatagramKind.Ended, SubscriberCounts.Bytes, body => Counts.Write(body))),
        };

    public static byte[] Bytes(DatagramKind kind) => Convert.FromHexString(All[kind].Hex.Replace(" ", "", StringComparison.Ordinal));

    private delegate void Body(Span<byte> body);

    private static byte[] Write(
        TestIdentity identity, DatagramKind kind, int bodyBytes, Body body, ulong sequence = 0, DatagramMarks marks = DatagramMarks.None)
    {
        byte[] room = new byte[TestIdentity.MaxControlBytes];
        body(room.AsSpan(DatagramHeader.Bytes));
        return room[..identity.WriteHeader(room, kind, bodyBytes, sequence, marks)];
    }

    private static byte[] WritePacket(TestIdentity identity, DatagramKind kind, DatagramMarks marks) => Write(
        identity, kind, 18, body =>
        {
            DataPacket.Fill(body[..18]);
            DataPacket.Stamp(body, 5, 9);
        }, 5, marks);
}
