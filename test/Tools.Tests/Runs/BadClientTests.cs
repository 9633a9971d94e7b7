using System.Net.Sockets;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Clients that do not speak our language: the provider drops them, and nobody else notices.</summary>
[Collection(ProgramRuns.Name)]
public class BadClientTests
{
    // length 2 | op code connect 1 | version 4 | ...: a version nobody knows
    private static readonly byte[] UnknownVersion = [0, 56, 0, 0, 0, 0, 99, .. new byte[49]];

    // a frame that declares more than any handshake has
    private static readonly byte[] LongFrame = [0xFF, 0xFF, 0, 0, 0, 0, 19];

    [Fact]
    public void Provider_BadClientsBesideAConsumer_DisturbNobody()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 20000 -handshakeTimeout 1");
        ToolProcess consumer = folder.StartConsumer(provider, "-steadyStateTime 60 -itemCount 200");
        consumer.WaitForLine("Dictionary ready");
        Random random = new(1);
        byte[] garbage = new byte[100_000];
        random.NextBytes(garbage);

        using TcpClient silent = Connect(provider);
        ExpectDropped(provider, garbage);
        ExpectDropped(provider, UnknownVersion);
        ExpectDropped(provider, LongFrame);
        ExpectDropped(provider, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"u8.ToArray());
        ExpectDropped(provider, [0]);
        ExpectEnd(silent);
        using (Connect(provider))
            Assert.False(provider.HasExited); // one that goes away without a word

        consumer.WaitForLine("mage retrieval time for");
        consumer.Signal(ToolProcess.Terminate);
        consumer.ExpectExit(143, "SIGTERM");
        provider.Signal(ToolProcess.Terminate);
        provider.ExpectExit(143, "SIGTERM");
        Assert.Equal(folder.Final("prov.json").Count("updatesSent"), folder.Final("cons.json").Count("updatesReceived"));
        Assert.True(folder.Final("prov.json").IsComparable());
    }

    [Fact]
    public void Provider_MoreConnectionsThanAllowed_RefusesTheRest()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-maxConnections 1");
        ToolProcess first = folder.StartConsumer(provider, "-steadyStateTime 60 -itemCount 10");
        first.WaitForLine("Image retrieval time for");
        ToolProcess second = folder.Start("ConsPerf", $"-p {provider.Port} -steadyStateTime 2 -itemCount 10 -summaryFile s2.out -statsFile s2");

        second.ExpectExit(4, "not connected");
        first.Signal(ToolProcess.Terminate);
        first.ExpectExit(143, "SIGTERM");
        folder.RunConsumer(provider, "-steadyStateTime 60 -itemCount 10 -snapshot").ExpectExit(0);
    }

    private static TcpClient Connect(ToolProcess provider) => new("127.0.0.1", provider.Port) { ReceiveTimeout = 30_000, SendTimeout = 30_000 };

    private static void ExpectDropped(ToolProcess provider, byte[] bytes)
    {
        using TcpClient client = Connect(provider);
        try
        {
            client.GetStream().Write(bytes);
        }
        catch (IOException)
        {
            return; // dropped while it was still talking
        }

        ExpectEnd(client);
    }

    // Whatever the provider says first, the stream ends within the limit.
    private static void ExpectEnd(TcpClient client)
    {
        byte[] answer = new byte[1024];
        try
        {
            while (client.GetStream().Read(answer) > 0)
            {
                // a nak, perhaps
            }
        }
        catch (IOException cause)
        {
            Assert.Equal(SocketError.ConnectionReset, ((SocketException)cause.InnerException!).SocketErrorCode);
        }
    }
}
