using System.Globalization;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Nothing to send and nothing to request: the workers sleep.</summary>
public class IdleTests
{
    private const int MaxWakesASecond = 50; // ticks would make 1,000

    [Fact]
    public void Workers_WithoutUpdates_WaitForTheirSockets()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the count of wake-ups is Linux's");
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess("-updateRate 0 -latencyUpdateRate 0");
        ToolProcess consumer = folder.StartConsumerProcess(provider, "-steadyStateTime 600 -itemCount 100 -writeStatsInterval 1");
        consumer.WaitForLine("Image retrieval time for");

        long before = CountWakes(provider.Id) + CountWakes(consumer.Id);
        Thread.Sleep(2_000);
        Assert.InRange(CountWakes(provider.Id) + CountWakes(consumer.Id) - before, 0, 2 * 2 * MaxWakesASecond);
        RunFolder.End(consumer);
    }

    // How often the worker's thread has gone to sleep.
    private static long CountWakes(int process)
    {
        string worker = Directory.EnumerateDirectories($"/proc/{process}/task").Single(task =>
            File.ReadAllText($"{task}/comm").Trim() == "worker 1");
        string line = File.ReadLines($"{worker}/status").First(text =>
            text.StartsWith("voluntary_ctxt_switches", StringComparison.Ordinal));
        return long.Parse(line.Split('\t')[1], CultureInfo.InvariantCulture);
    }
}
