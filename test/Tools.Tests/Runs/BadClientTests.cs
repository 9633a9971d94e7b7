using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Clients that do not speak the protocol: the provider drops them, and no other client notices.</summary>
public class BadClientTests
{
    [Fact]
    public void Provider_BadClientsBesideAConsumer_DisturbNobody()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateRate 20000 -handshakeTimeout 1");
        RunningTool consumer = folder.StartConsumer(provider, "-steadyStateTime 600 -itemCount 200");
        consumer.WaitForLine("Dictionary ready");
        BadClients.Try(provider.Port);
        Assert.False(provider.HasExited);

        consumer.WaitForLine("mage retrieval time for");
        RunFolder.End(consumer, provider);
        Assert.Equal(folder.Final("prov.json").Count("updatesSent"), folder.Final("cons.json").Count("updatesReceived"));
        Assert.True(folder.Final("prov.json").IsComparable());
    }

    [Fact]
    public void Provider_MoreConnectionsThanAllowed_RefusesTheRest()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-maxConnections 1");
        RunningTool first = folder.StartConsumer(provider, "-steadyStateTime 600 -itemCount 10");
        first.WaitForLine("Image retrieval time for");
        RunningTool second = folder.Start("ConsPerf",
            $"-p {provider.Port} -steadyStateTime 10 -itemCount 10 -summaryFile s2.out -statsFile s2");

        second.ExpectExit(4, "not connected");
        RunFolder.End(first);
        folder.RunConsumer(provider, "-steadyStateTime 600 -itemCount 10 -snapshot").ExpectExit(0);
    }
}
