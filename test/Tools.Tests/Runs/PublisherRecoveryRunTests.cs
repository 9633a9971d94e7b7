using System.Text.Json;
using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>NIProvPerf with <c>-reactor</c>: a hub that is killed and restarted receives everything once more.</summary>
public class PublisherRecoveryRunTests
{
    private const string PortLine = "Listening for providers on port ";

    [Theory]
    [InlineData("-reactor")]
    [InlineData("-reactor -useUserDispatch -apiThreads 0 -mainThread 0")]
    public void Hub_KilledAndBack_EndsNoPublisher(string session)
    {
        using RunFolder folder = new();
        int port = FreePort.Find(); // the system may assign its own ones to another program while the hub is away
        ToolProcess hub = folder.StartProcess("HubPerf", $"-p 0 -niPort {port} -jsonFile hub.json -summaryFile hub.out -statsFile hub");
        hub.WaitForLine(PortLine);
        RunningTool publisher = folder.Start(
            "NIProvPerf",
            $"-p {port} -itemCount 300 -updateRate 5000 -runTime 600 -jsonFile ni.json -summaryFile ni.out -statsFile ni {session}");
        publisher.WaitForLine("publishing 300 items");
        hub.KillAtOnce();
        publisher.WaitForLine("Connection failed");
        RunningTool again = folder.Start("HubPerf", $"-p 0 -niPort {port} -jsonFile again.json -summaryFile again.out -statsFile again");
        publisher.WaitForLine("Connected.", 2);
        publisher.WaitForLine("publishing 300 items", 2);
        RunFolder.End(publisher, again);

        JsonElement sent = folder.Final("ni.json");
        Assert.False(sent.IsComparable());
        if (session.Contains("-apiThreads", StringComparison.Ordinal))
            Assert.Contains("-apiThreads: no effect with -useUserDispatch", publisher.Output, StringComparison.Ordinal);
    }
}
