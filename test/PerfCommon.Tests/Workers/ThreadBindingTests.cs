using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>A bound thread runs on that processor alone, as the system tells.</summary>
public class ThreadBindingTests
{
    [Fact]
    public void TryBindCurrentThread_EachProcessorOfThisProcess_IsTheOnlyOne()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the list of processors is read from /proc");
        List<string> lists = [];
        foreach (int processor in Enumerable.Range(0, Math.Min(Environment.ProcessorCount, 4)))
        {
            if (OnAThread(() => ThreadBinding.TryBindCurrentThread(processor), out string list))
                lists.Add($"{processor} on {list}");
        }

        Assert.NotEmpty(lists);
        Assert.All(lists, text => Assert.Equal(text.Split(" on ")[0], text.Split(" on ")[1]));
    }

    [Theory]
    [InlineData(-2)]
    [InlineData(1_024)]
    [InlineData(int.MaxValue)]
    [InlineData(1_000)] // not in this machine
    public void TryBindCurrentThread_NoSuchProcessor_IsRefused(int processor) =>
        Assert.False(OnAThread(() => ThreadBinding.TryBindCurrentThread(processor), out _));

    [Fact]
    public void TryBindCurrentThread_Unbound_ChangesNothing()
    {
        Assert.True(OnAThread(() => true, out string before));
        Assert.True(OnAThread(() => ThreadBinding.TryBindCurrentThread(ThreadBinding.Unbound), out string after));
        Assert.Equal(before, after);
    }

    [Fact]
    public void OneUnbound_Plan_IsOneThreadThatIsNotBound()
    {
        Assert.Equal((1, false, "1"), (ThreadPlan.OneUnbound.Count, ThreadPlan.OneUnbound.BindsAny, ThreadPlan.OneUnbound.ToString()));
        Assert.Equal([ThreadBinding.Unbound], ThreadPlan.OneUnbound.Processors);
        Assert.True(ThreadPlan.BoundTo(0).BindsAny);
    }

    [Fact]
    public void GetHashCode_OtherProcessors_Differs()
    {
        string[] texts = ["1,3", "1,4", "2,3", "3,1"];
        int[] hashes = [.. texts.Select(text => ThreadPlan.TryParse(text, out ThreadPlan? plan) ? plan!.GetHashCode() : 0)];
        Assert.Equal(hashes.Length, hashes.Distinct().Count());
    }

    // Runs on another thread, and returns the processors that it may run on then.
    private static bool OnAThread(Func<bool> bind, out string processors)
    {
        bool isBound = false;
        string list = "";
        TestThread thread = new(() =>
        {
            isBound = bind();
            list = OperatingSystem.IsLinux()
                ? File.ReadLines("/proc/thread-self/status").First(line => line.StartsWith("Cpus_allowed_list:", StringComparison.Ordinal)) : "";
        });
        thread.Start();
        thread.Join();
        processors = list.Split(':')[^1].Trim();
        return isBound;
    }
}
