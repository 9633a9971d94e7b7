using System.Text.Json;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Screen;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The connections of a run between hosts, from the roles' final lines to every output.</summary>
[Trait("Category", "Fast")]
public sealed class HostPathTests
{
    private const string Words = "round trip 0.12 to 25.5 ms, path MTU 1500, 21 of 4,200 segments resent (0.5 %)";

    private const string Provider = """
        {"network":[{"local":"127.0.0.1","peer":"127.0.0.1","connections":7},
         {"local":"10.1.2.1","peer":"10.1.2.3","card":"eth0","cardMegabits":100,"connections":2,"minRoundTripMicros":120,"roundTripMicros":25500,"pathMtuBytes":1500,
          "segmentsSent":4200,"segmentsResent":21,"bytesSent":50030000,"bytesResent":30000,"busySeconds":5,"peerLimitedPercent":1}]}
        """;

    private const string Consumer = """
        {"network":[{"local":"10.1.2.3","peer":"10.1.2.1","connections":2,"roundTripMicros":300,"pathMtuBytes":1400,"segmentsSent":0,"segmentsResent":0,"bytesSent":0,"bytesResent":0,"busySeconds":0}]}
        """;

    private static readonly RunDocument Run = SampleFigures.Run with
    {
        Roles = [SampleFigures.Run.Roles[0] with { Final = Parse(Provider) }, SampleFigures.Run.Roles[1] with { Final = Parse(Consumer) }],
    };

    [Fact]
    public void Network_OfARun_HasThePathsToOtherHosts()
    {
        HostPath[] paths = [.. Run.Network!];
        Assert.Equal([("provider", "10.1.2.1", "10.1.2.3", 2), ("consumer", "10.1.2.3", "10.1.2.1", 2)],
            paths.Select(path => (path.Role, path.Local, path.Peer, path.Connections)));
        Assert.Equal((80.0, null), (paths[0].Megabits, paths[1].Megabits));
        Assert.Equal(Words, paths[0].Text);
        Assert.Equal("round trip 0.3 ms, path MTU 1400, nothing sent", paths[1].Text);
    }

    [Fact]
    public void Network_OfOneHost_IsAbsent()
    {
        Assert.Null(SampleFigures.Run.Network);
        Assert.DoesNotContain("\"network\"", RunFile.CreateText(SampleFigures.Run), StringComparison.Ordinal);
        Assert.Empty(HostPath.Read("provider", new JsonView(Parse("""{"network":[{"local":"::1","peer":"::1"},{"peer":"10.1.2.3"},{"local":"10.1.2.3"}]}"""))));
    }

    [Fact]
    public void Outputs_OfARun_SayIt()
    {
        using JsonDocument written = JsonDocument.Parse(RunFile.CreateText(Run));
        Assert.Equal(100, written.RootElement.GetProperty("network")[0].GetProperty("cardMegabits").GetInt32());
        string closing = string.Join('\n', ClosingText.Create(Run, "runs/x/"));
        Assert.Contains("    network      provider to 10.1.2.3, round trip 0.12 to 25.5 ms, path MTU 1500,\n                 21 of 4,200 segments "
            + "resent (0.5 %)", closing, StringComparison.Ordinal);
        Assert.DoesNotContain("consumer to 10.1.2.1", closing, StringComparison.Ordinal); // it sends nothing that is measured
        using StringWriter markdown = new();
        RunMarkdown.Write(markdown, [("", Run)], null);
        Assert.Contains($"| network, provider to 10.1.2.3 | {Words} |", markdown.ToString(), StringComparison.Ordinal);
        Assert.Equal(
            [["provider", "10.1.2.1 (eth0)", "10.1.2.3", "100", "2", "120", "25,500", "1,500", "4,200", "21", "50,030,000"],
                ["consumer", "10.1.2.3", "10.1.2.1", "-", "2", "-", "300", "1,400", "0", "0", "0"]],
            NetworkTable.Create(Run).Rows.Select(row => row.Select(cell => cell.Text).ToArray()));
    }

    private static JsonElement Parse(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return document.RootElement.Clone();
    }
}
