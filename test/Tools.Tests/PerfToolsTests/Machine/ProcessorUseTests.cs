using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public class ProcessorUseTests
{
    [Fact]
    public void Parse_StatFile_CountsEverythingButIdleAndWaitingAsBusy() => Assert.Equal(
        new ProcessorUse(BusyTicks: 115, AllTicks: 515, Processors: 2) { StolenTicks = 20 },
        ProcessorUse.Parse("cpu  50 10 20 300 100 5 10 20 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 1 2\n"));

    [Theory]
    [InlineData("")]
    [InlineData("intr 1 2\n")]
    [InlineData("cpu 1 2 3\ncpu0 1 2 3\n")]
    public void Parse_AnotherForm_IsNothing(string text) => Assert.Null(ProcessorUse.Parse(text));

    // Two processors for 10 s are 2,000 ticks: 1,500 busy (75 %), of which the roles' 12 of 20 s (60 %) are not foreign.
    [Fact]
    public void ForeignShareSince_RolesTakenOff_IsWhatRemains()
    {
        ProcessorUse earlier = new(1_000, 7_000, 2);
        Assert.Equal(0.15, new ProcessorUse(2_500, 9_000, 2).ForeignShareSince(earlier, seconds: 10, ownCpuSeconds: 12), precision: 9);
    }

    [Fact]
    public void ForeignShareSince_RolesMoreThanTheTicksShow_IsNone() =>
        Assert.Equal(0, new ProcessorUse(1_100, 7_200, 2).ForeignShareSince(new(1_000, 7_000, 2), seconds: 1, ownCpuSeconds: 1.5));
}
