using System.Net;
using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public class DatagramTests
{
    public static TheoryData<string> Kinds => [.. Enum.GetNames<DatagramKind>().Where(name => name != nameof(DatagramKind.None))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Write_EachKind_IsTheWires(string kind) => Assert.Equal(
        Convert.ToHexString(GoldenDatagrams.Bytes(Enum.Parse<DatagramKind>(kind))),
        Convert.ToHexString(GoldenDatagrams.All[Enum.Parse<DatagramKind>(kind)].Write()));

    [Theory]
    [MemberData(nameof(Kinds))]
    public void TryRead_EachKind_FindsWhatWasWritten(string kind)
    {
        byte[] datagram = GoldenDatagrams.Bytes(Enum.Parse<DatagramKind>(kind));

        Assert.True(DatagramHeader.TryRead(datagram, out DatagramHeader header));
        Assert.Equal(kind, header.Kind.ToString());
        Assert.Equal(7, header.DomainId);
        Assert.Equal(datagram.Length - DatagramHeader.Bytes, header.Length);
        byte[] again = [.. datagram];
        header.Write(again);
        Assert.Equal(datagram, again);
    }

    [Fact]
    public void TryRead_Bodies_HaveEveryMember()
    {
        Assert.Equal(new(Reliable: true, NoEcho: true, Ttl: 1, Point("225.3.2.1", 0x5229)), Announcement.TryRead(BodyOf(DatagramKind.Announce)));
        Assert.Equal(new(2, 4, Point("225.1.2.3", 0x522A), 100_000, 16, 8_192, 64), WelcomeTerms.TryRead(BodyOf(DatagramKind.Welcome)));
        Assert.Equal(new(RefusalReason.CookieInUse, "cookie1"), Refusal.TryRead(BodyOf(DatagramKind.Refuse)));
        Assert.True(RetainedRange.TryRead(BodyOf(DatagramKind.Heartbeat), out RetainedRange range));
        Assert.Equal(new(0x11, 0x50), range);
        Assert.True(SubscriberCounts.TryRead(BodyOf(DatagramKind.Ended), out SubscriberCounts counts));
        Assert.Equal(GoldenDatagrams.Counts, counts);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void TryRead_CutAtEveryLength_IsNone(string kind)
    {
        byte[] datagram = GoldenDatagrams.Bytes(Enum.Parse<DatagramKind>(kind));
        for (int length = 0; length < datagram.Length; length++)
            Assert.False(DatagramHeader.TryRead(datagram.AsSpan(0, length), out _), $"cut at {length}");
        Assert.False(DatagramHeader.TryRead([.. datagram, 0], out _));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Conversations_EveryByteDamaged_TakeItOrLeaveIt(string kind)
    {
        byte[] datagram = GoldenDatagrams.Bytes(Enum.Parse<DatagramKind>(kind));
        for (int at = 0; at < datagram.Length; at++)
        {
            foreach (byte bits in new byte[] { 0x01, 0x80, 0xFF })
            {
                byte[] damaged = [.. datagram];
                damaged[at] ^= bits;
                ConversationPair.FeedAll(damaged);
            }
        }
    }

    // Work counted, not time: what all conversations send because of what comes is a small multiple of it, and at most their windows more.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Conversations_DatagramsWithoutEnd_SendASmallMultiple(bool reliable)
    {
        const int sides = 5, conversations = 8, largest = 64 + DatagramHeader.Bytes;
        ConversationPair pair = ConversationPair.CreateInMidRun(reliable);
        long received = 0, sent = 0;
        for (int round = 0; round < 20; round++)
        {
            foreach (byte[] datagram in Kinds.SelectMany(kind => Damage(GoldenDatagrams.Bytes(Enum.Parse<DatagramKind>(kind.Data)))))
            {
                received += datagram.Length * conversations;
                sent += pair.Feed(datagram);
            }
        }

        Assert.InRange(sent, 1, (2 * received) + (sides * LatencyPerf.Protocol.Windows.Usual * largest));
    }

    private static ReadOnlySpan<byte> BodyOf(DatagramKind kind) => GoldenDatagrams.Bytes(kind).AsSpan(DatagramHeader.Bytes);

    private static IPEndPoint Point(string address, int port) => new(IPAddress.Parse(address), port);

    private static IEnumerable<byte[]> Damage(byte[] datagram)
    {
        yield return datagram;
        for (int at = 0; at < datagram.Length; at++)
            yield return [.. datagram[..at], (byte)(datagram[at] ^ 0x01), .. datagram[(at + 1)..]];
    }

    [Fact]
    public void Welcome_IsNoLongerThanWhatAskedForIt() =>
        Assert.True(GoldenDatagrams.Bytes(DatagramKind.Welcome).Length <= GoldenDatagrams.Bytes(DatagramKind.Announce).Length);

    [Fact]
    public void Fill_EachByte_IsTheGuides()
    {
        byte[] packet = new byte[300];
        DataPacket.Fill(packet);
        Assert.All(packet.Skip(DataPacket.MinBytes).Index(), one => Assert.Equal((byte)(((one.Index + 16) * 31) + 300), one.Item));
    }

    [Theory]
    [InlineData("224.0.1.0", true)]
    [InlineData("239.255.255.255", true)]
    [InlineData("224.0.0.251", false)]
    [InlineData("240.0.0.1", false)]
    [InlineData("127.0.0.1", false)]
    [InlineData("ff02::1", true)]
    [InlineData("fe80::1", false)]
    public void IsGroup_OfAddress_IsTheGuides(string address, bool isGroup) =>
        Assert.Equal(isGroup, Groups.IsGroup(IPAddress.Parse(address)));
}
