using System.Text.Json;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>ConsPerf with <c>-reactor</c> and <c>-watchlist</c>: it recovers what is lost during the run.</summary>
public class RecoveryRunTests
{
    [Theory]
    [InlineData("-reactor")]
    [InlineData("-watchlist")]
    [InlineData("-watchlist -postingRate 1000")]
    [InlineData("-reactor -useUserDispatch -reconnectDelay 100,500", "-reactor -threads 2 -workerThreads 0 -mainThread 0")]
    public void Provider_KilledAndBack_EndsNoConsumer(string session, string ofProvider = "")
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess($"-updateRate 5000 {ofProvider}");
        RunningTool consumer = folder.StartConsumer(provider, $"-itemCount 300 -steadyStateTime 600 -writeStatsInterval 1 {session}");
        consumer.WaitForSteadyState();
        int port = provider.Port;
        provider.KillAtOnce();
        consumer.WaitForSum("- Items: ", " lost", 300); // those of one moment may be of two intervals
        RunningTool again = folder.Start("ProvPerf",
            $"-p {port} -jsonFile again.json -summaryFile again.out -statsFile again -updateRate 5000 {ofProvider}");
        consumer.WaitForLine("All 300 items are back.");
        consumer.WaitForSum(" lost, ", " recovered", 300);
        RunFolder.End(consumer, again);

        JsonElement received = folder.Final("cons.json");
        Assert.Equal((300, 300, 600), (received.Count("itemsLost"), received.Count("itemsRecovered"), received.Count("refreshesReceived")));
        Assert.Equal(300, folder.Final("again.json").Count("imagesSent"));
        Assert.False(received.IsComparable());
        Assert.Contains("not comparable", consumer.Output, StringComparison.OrdinalIgnoreCase);
    }
}
