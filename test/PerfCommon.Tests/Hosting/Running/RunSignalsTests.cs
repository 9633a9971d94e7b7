using System.IO.Pipelines;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public sealed class RunSignalsTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact]
    public async Task Parent_Ends_IsAsIfTerminated()
    {
        Pipe parent = new();
        using RunSignals signals = new(parent.Reader.AsStream());
        await parent.Writer.WriteAsync("typed"u8.ToArray(), TestContext.Current.CancellationToken); // read and ignored
        Assert.Null(signals.Outcome);
        await parent.Writer.CompleteAsync();
        Assert.True(signals.StopRequested.WaitHandle.WaitOne(Limit));
        Assert.Equal(ExitCode.Terminated, signals.Code);
    }

    [Fact]
    public async Task Parent_EndsAfterTheRun_HarmsNobody()
    {
        Pipe parent = new();
        RunSignals signals = new(parent.Reader.AsStream());
        signals.Dispose();
        await parent.Writer.CompleteAsync();
        Assert.NotEqual(ExitCode.Interrupted, signals.Code);
    }
}
