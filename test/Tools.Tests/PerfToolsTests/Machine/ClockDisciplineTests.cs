using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

[Trait("Category", "Fast")]
public class ClockDisciplineTests
{
    [Theory]
    [InlineData(0, 0x2001, true)] // by ntpd, in nanoseconds
    [InlineData(0, 0, true)] // by chronyd
    [InlineData(1, 0x10, true)] // a leap second is due
    [InlineData(5, 0x40, false)]
    [InlineData(0, 0x2041, false)]
    [InlineData(5, 0, false)]
    public void Parse_Status_SaysWhetherItIsSynchronized(int result, int status, bool isSynchronized)
    {
        WallClockState expected = isSynchronized ? new(true, 12_345, 678) : new(false, null, null);
        Assert.Equal(expected, ClockDiscipline.Parse(result, status, 12_345, 678));
    }

    [Fact]
    public void Parse_CallThatIsNotPermitted_IsNotKnown() => Assert.Null(ClockDiscipline.Parse(-1, 0, 0, 0));

    [Fact]
    public void Read_ThisMachine_HasErrorsOnlyWhereItIsSynchronized()
    {
        WallClockState? state = ClockDiscipline.Read();
        Assert.SkipWhen(state is null, "the system does not report it");
        Assert.Equal(state!.IsSynchronized, state.MaxErrorMicros is >= 0 && state.EstimatedErrorMicros is >= 0);
    }
}
