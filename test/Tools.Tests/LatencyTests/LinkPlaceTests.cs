using System.Net;
using System.Net.Sockets;
using LatencyPerf.Links;
using PerfCommon.Transport.Tls;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The system settings and files of links: groups and their interface, files of shared memory, certificates.</summary>
public class LinkPlaceTests
{
    private const string Group = "225.3.2.1";

    [Theory]
    [InlineData("127.0.0.1", 0)]
    [InlineData("127.0.0.3", 5)]
    public void CreateUnicast_ForGroups_SendsByTheInterfaceGivenAlone(string nic, int ttl)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "addresses of the loopback");
        using Socket socket = UdpSockets.CreateUnicast(Options(nic, ttl));
        Assert.Equal(IPAddress.Parse(nic).GetAddressBytes(),
            socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, 4));
        Assert.Equal(ttl, socket.GetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive));
        Span<byte> index = stackalloc byte[4];
        socket.GetRawSocketOption(0, 50, index); // IP_UNICAST_IF
        Assert.Equal(UdpSockets.IndexOf(IPAddress.Loopback), IPAddress.NetworkToHostOrder(BitConverter.ToInt32(index)));
    }

    [Fact]
    public void CreateGroup_JoinsOnTheInterfaceGivenAndReceivesTheTtl()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/proc");
        UdpLinkOptions options = Options("127.0.0.2", 3);
        IPEndPoint group = options.GroupPoint!;
        using Socket socket = UdpSockets.CreateGroup(options, group), sender = UdpSockets.CreateUnicast(options with { Own = 0 });
        // the first device is lo
        Assert.Contains("010203E1", File.ReadAllText("/proc/net/igmp").Split("\n2", 2)[0], StringComparison.Ordinal);
        sender.SendTo(new byte[8], group);
        Assert.True(socket.Poll(2_000_000, SelectMode.SelectRead));
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        Assert.Equal((8, IPAddress.Parse("127.0.0.2")), (socket.ReceiveFrom(new byte[16], ref from), ((IPEndPoint)from).Address));
    }

    [Theory]
    [InlineData("0.0.0.0", null)]
    [InlineData("::", null)]
    [InlineData("127.0.0.2", "127.0.0.2")]
    public void OwnAddress_OfAnyInterface_IsLeftToTheSystem(string nic, string? expected) => Assert.Equal(expected,
        new StreamPlace(default!, IPAddress.Parse(nic), null).OwnAddress?.ToString());

    [Fact]
    public void ClearAll_WhatKilledSidesLeft_IsGoneAndTheLivingStay()
    {
        SharedPlace dead = new(RoundtripRuns.NextDomain), living = new(RoundtripRuns.NextDomain);
        foreach (string path in new[] { dead.MemoryPath, dead.LifePathOf(0), dead.LifePathOf(2), dead.BellPathOf(2) })
            File.WriteAllText(path, "");
        using (IDisposable? held = living.TryHold(0))
        {
            File.WriteAllText(living.MemoryPath, "");
            SharedPlace.ClearAll();
            Assert.Equal((true, true), (File.Exists(living.MemoryPath), living.Lives(0)));
        }

        Assert.DoesNotContain(new[] { dead.MemoryPath, dead.LifePathOf(0), dead.LifePathOf(2), dead.BellPathOf(2) }, File.Exists);
        living.ClearDead(own: null);
        Assert.False(File.Exists(living.MemoryPath));
    }

    [Fact]
    public void Dispose_SubscriberWhosePublisherWasKilled_LeavesNothing()
    {
        SharedPlace place = new(RoundtripRuns.NextDomain);
        using (SharedMemoryLink subscriber = new(place, 1, default))
            File.WriteAllText(place.MemoryPath, "");
        Assert.Equal((false, false), (File.Exists(place.MemoryPath), File.Exists(place.LifePathOf(1))));
    }

    [Fact]
    public void Run_EncryptedRssl_ChecksTheCertificate()
    {
        using RunDirectory folder = new();
        using (TrialCertificates certificates = new(DateTimeOffset.UtcNow.AddHours(-1), TimeSpan.FromDays(1), TrialKeyKind.Ecdsa))
            certificates.WriteFiles(folder.Path, ["127.0.0.1"]);
        string all = $"-domainId {RoundtripRuns.NextDomain} -transport 16 -connType encrypted";
        RoundtripRuns runs = RoundtripRuns.Run(
            $"{all} -numIter 20 -maxSize 16 -cert {folder.File("server.pem")} -keyfile {folder.File("server.key")}",
            $"{all} -castore {folder.File("ca.pem")}");
        Assert.All(runs.Sides, side => Assert.Equal((0, ""), (side.ExitCode, side.Error)));
        Assert.Equal("Test successful: 22 messages received, 22 replies sent.", runs.Sides[1].LastLine);
    }

    [Theory]
    [InlineData(1, "127.0.0.1", Group, 0, null)]
    [InlineData(1, "127.0.0.1", Group, 1, "a group has port ")]
    [InlineData(1, null, Group, 0, "the publisher was started without -nic, which groups need")]
    [InlineData(1, "127.0.0.1", "ff02::1", 0, "no groups such as ff02::1 over UDPv4")]
    [InlineData(32, "127.0.0.1", Group, 0, "no groups such as 225.3.2.1 over TCP")]
    public void FindGroupProblem_OfAGroup_IsWhyItCannotBeUsed(int transport, string? nic, string group, int portOff, string? problem)
    {
        TestPorts ports = new(TestPorts.UsualBase, RoundtripRuns.NextDomain);
        TestPlace place = TestPlace.Find(new LinkOptions { Kind = LinkKinds.Of(transport), Ports = ports, Own = 0, Nic = nic });
        string? found = place.FindGroupProblem(new IPEndPoint(IPAddress.Parse(group), ports.DataGroup + portOff));
        Assert.Equal(problem is null, found is null);
        Assert.StartsWith(problem ?? "", found ?? "", StringComparison.Ordinal);
    }

    private static UdpLinkOptions Options(string nic, int ttl) => new()
    {
        Ports = new TestPorts(TestPorts.UsualBase, RoundtripRuns.NextDomain),
        Own = 1,
        Address = IPAddress.Parse(nic),
        IsInterfaceGiven = true,
        Group = IPAddress.Parse(Group),
        Ttl = ttl,
    };
}
