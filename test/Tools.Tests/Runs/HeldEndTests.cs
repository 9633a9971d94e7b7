using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>
/// A peer that does not end its stream: each tool closes the connection after 3 s, ends as it would have, and says that its counts cannot be
/// compared with those of the peer.
/// </summary>
public sealed class HeldEndTests : IDisposable
{
    private readonly RunFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Consumer_ProviderDoesNotEndItsStream_SaysSo()
    {
        RunningTool provider = _folder.StartProvider("-updateRate 1000");
        using StreamEnds relay = new(provider.Port) { HoldsEnds = true };
        Run("ConsPerf", $"-p {relay.Port} -steadyStateTime 8 -itemCount 10 -jsonFile held.json", "the provider did not end its stream within 3 s");
    }

    [Fact]
    public void Publisher_HubDoesNotEndItsStream_SaysSo()
    {
        using TestHub hub = new();
        using StreamEnds relay = new(hub.Port) { HoldsEnds = true };
        Run("NIProvPerf", $"-p {relay.Port} -runTime 8 -itemCount 10 -updateRate 1000 -jsonFile held.json", "the hub did not end its stream within 3 s");
    }

    [Theory]
    [InlineData("")]
    [InlineData("-reflectMsgs")]
    public void TransportServer_ClientDoesNotEndItsStream_SaysSo(string options)
    {
        RunningTool server = _folder.Start("TransportPerf", $"-p 0 -runTime 10 -msgRate 1000 -jsonFile held.json -summaryFile s.out -statsFile s {options}");
        using StreamEnds relay = new(server.Port) { HoldsEnds = true };
        RunningTool client = _folder.Start("TransportPerf",
            $"-appType client -p {relay.Port} -msgRate 1000 -runTime 600 -jsonFile client.json -summaryFile c.out -statsFile c");
        client.WaitForLine("Channel ");
        Expect(server, "the peer did not end its stream within 3 s");
        Assert.True(_folder.Final("held.json").Count("messagesReceived") > 0);
    }

    private void Run(string tool, string arguments, string reason) => Expect(_folder.Start(tool, arguments), reason);

    private void Expect(RunningTool tool, string reason)
    {
        Assert.Equal(0, tool.WaitForExit());
        JsonElement final = _folder.Final("held.json");
        Assert.Equal((false, reason), (final.IsComparable(), final.GetProperty("notComparableReason").GetString()));
    }
}
