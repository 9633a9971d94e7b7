using System.Net;
using System.Net.Sockets;
using LatencyPerf.Links;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>The domains that perftools may draw.</summary>
public sealed class FreeDomainTests
{
    /// <summary>A domain is taken where any of its sides is there: the publisher, each subscriber, a group, a stream.</summary>
    [Fact]
    public void IsFree_WhileAnyOfItsPortsIsTaken_IsFalse()
    {
        int domain = RoundtripRuns.NextDomain;
        TestPorts ports = new(TestPorts.UsualBase, domain);
        int[] datagrams = [ports.Publisher, .. Enumerable.Range(1, TestPorts.MaxCookie).Select(ports.Subscriber), ports.DataGroup, ports.ReplyGroup];
        Assert.True(FreeDomain.IsFree(domain));
        Assert.All(datagrams, port => Assert.False(IsFreeWith(SocketType.Dgram, ProtocolType.Udp, port), $"{port}"));
        Assert.False(IsFreeWith(SocketType.Stream, ProtocolType.Tcp, ports.Stream));
        Assert.True(FreeDomain.IsFree(domain));

        bool IsFreeWith(SocketType type, ProtocolType protocol, int port)
        {
            using Socket other = new(AddressFamily.InterNetwork, type, protocol);
            other.Bind(new IPEndPoint(IPAddress.Loopback, port));
            if (type == SocketType.Stream)
                other.Listen();
            return FreeDomain.IsFree(domain);
        }
    }

    [Fact]
    public void Draw_FreeDomain_IsOneOfLatencyPerf() => Assert.InRange(FreeDomain.Draw(), 1, TestPorts.MaxDomain);
}
