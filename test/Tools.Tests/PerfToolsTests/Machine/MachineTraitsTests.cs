using PerfTools.Machine;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public class MachineTraitsTests
{
    [Fact]
    public void ParseModel_GuestWithoutAName_IsToldByFamilyAndModel() => Assert.Equal(
        "Intel(R) Xeon(R) Processor, cpu family 6, model 207",
        MachineTraits.ParseModel(
            "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Intel(R) Xeon(R) Processor\n"));

    [Fact]
    public void ParseModel_Arm_IsToldByItsPart() => Assert.Equal(
        "CPU implementer 0x41, CPU part 0xd0c",
        MachineTraits.ParseModel("processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"));

    [Theory]
    [InlineData("")]
    [InlineData("processor 0\n")]
    public void ParseModel_AnotherForm_IsNothing(string text) => Assert.Null(MachineTraits.ParseModel(text));
}
