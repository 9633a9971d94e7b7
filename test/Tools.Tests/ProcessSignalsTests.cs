using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests;

public class ProcessSignalsTests
{
    /// <summary>
    /// Signals arrive however the tests are started, `trap '' INT` and nohup included: else the tests of SIGINT would wait in vain.
    /// </summary>
    [Fact]
    public void Started_WhoeverStartsTheTests_HearsItsSignals()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux tells what a process ignores");
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProviderProcess();
        Assert.True(provider.Port > 0);
        Assert.False(ProcessSignals.Ignores(provider.Id, RunningTool.Interrupt));
        Assert.False(ProcessSignals.Ignores(provider.Id, RunningTool.HangUp));
    }
}
