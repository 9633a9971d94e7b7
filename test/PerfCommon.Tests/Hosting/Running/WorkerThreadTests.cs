using PerfCommon.Workers;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public class WorkerThreadTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact]
    public void Body_Ends_ThreadEndsWithoutDefect()
    {
        bool ran = false;
        WorkerThread thread = new("worker", ThreadBinding.Unbound, () => ran = true);

        Assert.True(thread.Join(Limit));
        Assert.True(ran && !thread.IsAlive);
        Assert.Null(thread.Defect);
    }

    [Fact]
    public void Body_Throws_IsKept()
    {
        WorkerThread thread = new("worker", ThreadBinding.Unbound, () => throw new FormatException("broken"));

        Assert.True(thread.Join(Limit));
        Assert.IsType<FormatException>(thread.Defect);
    }

    [Fact]
    public void Bind_NoSuchProcessor_IsADefectAndNothingRuns()
    {
        bool ran = false;
        WorkerThread thread = new("worker", 4_000, () => ran = true);

        Assert.True(thread.Join(Limit));
        Assert.Contains("4000", thread.Defect!.Message, StringComparison.Ordinal);
        Assert.False(ran);
    }
}
