using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Clients that do not speak our language: the provider drops them, and nobody else notices.</summary>
[Collection(FaultyRuns.Name)]
public class BadClientTests
{
    [Fact]
    public void Provider_BadClientsBesideAConsumer_DisturbNobody()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider("-updateRate 20000 -handshakeTimeout 1");
        ToolProcess consumer = folder.StartConsumer(provider, "-steadyStateTime 60 -itemCount 200");
        consumer.WaitForLine("Dictionary ready");
        BadClients.Try(provider.Port);
        Assert.False(provider.HasExited);

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
        ToolProcess second = folder.Start("ConsPerf",
            $"-p {provider.Port} -steadyStateTime 2 -itemCount 10 -summaryFile s2.out -statsFile s2");

        second.ExpectExit(4, "not connected");
        first.Signal(ToolProcess.Terminate);
        first.ExpectExit(143, "SIGTERM");
        folder.RunConsumer(provider, "-steadyStateTime 60 -itemCount 10 -snapshot").ExpectExit(0);
    }
}
