using System.Net;
using System.Net.Sockets;
using LatencyPerf.Links;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using PerfCommon.Tests;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>
/// Strangers' connections at the publisher's links of streams: they block no subscriber, and are closed at the end of the rendezvous.
/// </summary>
public sealed class StrangersOnLinksTests : IDisposable
{
    private const int Idle = 200;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly int _domain = RoundtripRuns.NextDomain;
    private readonly List<Socket> _strangers = [];

    public void Dispose() => _strangers.ForEach(socket => socket.Dispose());

    [Theory]
    [InlineData(16)]
    [InlineData(32)]
    public void Run_BesideIdleStrangers_IsSuccessfulAndClosesThem(int transport)
    {
        string all = $"-domainId {_domain} -transport {transport}";
        RoundtripRuns.Side publisher = new($"-publish {all} -numIter 60 -maxSize 32"), subscriber = new($"-subscribe {all}");
        TestThread[] threads = [new(publisher.Run), new(subscriber.Run)];
        threads[0].Start();
        Assert.True(SpinWait.SpinUntil(() => publisher.Output.Contains("Waiting", StringComparison.Ordinal), Limit));
        for (int i = 0; i < Idle; i++)
            Connect();
        threads[1].Start();
        Assert.All(threads, thread => Assert.True(thread.Join(Limit)));

        Assert.Equal((0, "", 0, ""), (publisher.ExitCode, publisher.Error, subscriber.ExitCode, subscriber.Error));
        Assert.Equal("Test successful: 123 messages received, 123 replies sent.", subscriber.LastLine);
        Assert.All(_strangers, socket => Assert.True(IsClosed(socket)));
    }

    [Fact]
    public void Run_BesideOneThatAnnouncesEveryCookie_IsSuccessful()
    {
        string all = $"-domainId {_domain} -transport 32";
        RoundtripRuns.Side publisher = new($"-publish {all} -subscribers 2 -numIter 60 -maxSize 32");
        RoundtripRuns.Side[] subscribers = [new($"-subscribe {all} -noecho"), new($"-subscribe {all} -cookie 2")];
        TestThread[] threads = [new(publisher.Run), .. subscribers.Select(one => new TestThread(one.Run))];
        threads[0].Start();
        Assert.True(SpinWait.SpinUntil(() => publisher.Output.Contains("Waiting", StringComparison.Ordinal), Limit));
        Socket stranger = Connect();
        byte[] announce = GoldenDatagrams.Bytes(DatagramKind.Announce);
        (announce[4], announce[5]) = (0, (byte)_domain);
        announce.AsSpan(DatagramHeader.Bytes).Clear();
        for (int i = 0; i < 100; i++)
        {
            announce[6] = (byte)(1 + (i % 2));
            stranger.Send(announce);
        }

        foreach (TestThread thread in threads[1..])
            thread.Start();
        Assert.True(SpinWait.SpinUntil(() => publisher.Output.Contains("...[2]", StringComparison.Ordinal), Limit));
        stranger.Dispose();
        Assert.All(threads, thread => Assert.True(thread.Join(Limit)));
        Assert.Equal((0, "", 0, 0), (publisher.ExitCode, publisher.Error, subscribers[0].ExitCode, subscribers[1].ExitCode));
    }

    [Fact]
    public void EndMeeting_Tcp_LeavesPeersAlone()
    {
        using ILink link = CreateLink($"-publish -domainId {_domain} -transport 32");
        Socket peer = Connect();
        Socket idle = Connect();
        peer.Send(GoldenDatagrams.Bytes(DatagramKind.Announce));
        ReceiveOne(link);
        link.Admit(1, link.Source!);
        Assert.True(link.IsReachable(1));
        link.EndRendezvous();
        Assert.True(IsClosed(idle));
        peer.Send(GoldenDatagrams.Bytes(DatagramKind.Ready));
        ReceiveOne(link);
        Assert.Null(link.Source);
        Assert.Null(link.Broken);
    }

    // What is no datagram of a test has no end that anybody could know.
    [Theory]
    [InlineData("GET / HTTP/1.1\r\nHost: h\r\n\r\n")]
    [InlineData("RT\u0001\u0001\0\0\0\0\0\0\0\0\u0001\0\0\0\0\0\0\0\0\0\0\0")]
    public void TryReceive_BytesOfNoTest_CloseTheirConnectionAlone(string bytes)
    {
        using ILink link = CreateLink($"-publish -domainId {_domain} -transport 32");
        Socket stranger = Connect(), peer = Connect();
        stranger.Send(System.Text.Encoding.Latin1.GetBytes(bytes));
        Assert.True(SpinWait.SpinUntil(() => !link.TryReceive(out _) && IsClosed(stranger, TimeSpan.Zero), Limit));
        peer.Send(GoldenDatagrams.Bytes(DatagramKind.Announce));
        ReceiveOne(link);
    }

    [Fact]
    public void TryReceive_OneThatSendsWithoutEnd_StarvesNobody()
    {
        using ILink link = CreateLink($"-publish -domainId {_domain} -transport 32");
        Socket flood = Connect(), peer = Connect();
        byte[] announce = GoldenDatagrams.Bytes(DatagramKind.Announce);
        byte[] many = [.. Enumerable.Repeat(announce, 100).SelectMany(bytes => bytes)];
        flood.Send(many);
        peer.Send(announce);
        HashSet<PeerAddress> heard = [];
        for (int i = 0; i < 10; i++)
        {
            ReceiveOne(link);
            heard.Add(link.Source!);
        }

        Assert.Equal(2, heard.Count);
    }

    [Fact]
    public void Send_ToAStrangerThatReadsNothing_ClosesIt()
    {
        const int Most = 1_000_000;
        using Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen(1);
        using Socket unread = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        unread.Connect(listening.LocalEndPoint!);
        using StreamConnection stranger = new(listening.Accept());
        int sent = 0;
        for (; stranger.Closed is null && sent < Most; sent++)
            stranger.Send(new byte[TestIdentity.MaxControlBytes]);
        Assert.InRange(sent, 2, Most - 1);
        Assert.EndsWith(" lost: WouldBlock", stranger.Closed, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_DatagramsOfOneSegment_AreNotSleptOn()
    {
        using ILink link = CreateLink($"-publish -domainId {_domain} -transport 32");
        byte[] announce = GoldenDatagrams.Bytes(DatagramKind.Announce);
        Socket peer = Connect();
        peer.Send(announce);
        ReceiveOne(link);
        link.Admit(1, link.Source!);
        link.EndRendezvous();
        peer.Send([.. announce, .. announce]);
        ReceiveOne(link);
        await Task.Run(() => link.Wait(long.MaxValue), TestContext.Current.CancellationToken).WaitAsync(Limit, TestContext.Current.CancellationToken);
        Assert.True(link.TryReceive(out _));
    }

    private static ILink CreateLink(string arguments) =>
        TestPlace.Find(OptionLines.Accept(LatencyPerfOptionTable.Instance, arguments).LoadLinkOptions()).CreateLink();

    private static void ReceiveOne(ILink link)
    {
        for (long until = Clock.NowNanos + (long)Limit.TotalNanoseconds; Clock.NowNanos < until;)
        {
            if (link.TryReceive(out _))
                return;
            link.Wait(Clock.NanosPerMilli);
        }

        Assert.Fail("nothing arrived");
    }

    private static bool IsClosed(Socket socket, TimeSpan? limit = null)
    {
        try
        {
            return socket.Poll(limit ?? Limit, SelectMode.SelectRead) && socket.Receive(new byte[1024]) == 0;
        }
        catch (SocketException)
        {
            return true; // reset
        }
    }

    private Socket Connect()
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, new TestPorts(TestPorts.UsualBase, _domain).Stream));
        _strangers.Add(socket);
        return socket;
    }
}
