using PerfTools.Hosting.CommandLine;
using Xunit;

namespace PerfCommon.Tests.Hosting.CommandLine;

public sealed class NumberRowTests
{
    [Theory]
    [InlineData(0, int.MaxValue, 0, null)]
    [InlineData(0, int.MaxValue, -1, "-p must be 0 or more")]
    [InlineData(6, int.MaxValue, 6, null)]
    [InlineData(6, int.MaxValue, 5, "-p must be at least 6")]
    [InlineData(1, 255, 255, null)]
    [InlineData(1, 255, 0, "-p must be 1 to 255")]
    [InlineData(1, 255, 256, "-p must be 1 to 255")]
    public void Parse_Range_IsNamed(int min, int max, int port, string? problem)
    {
        OptionTable<SampleOptions> table = new("Sample", new SampleOptions(), _ => null);
        table.Number("-p", "port", "port", o => o.Port, (o, v) => o with { Port = v }).Within(min, max);
        Assert.Equal(problem, table.Parse([$"-p={port}"]).Problem);
    }

    [Fact]
    public void Parse_AbsentNumber_IsWithinEveryRange()
    {
        OptionTable<SampleOptions> table = new("Sample", new SampleOptions(), _ => null);
        table.OptionalNumber("-bindThread", "cpu", "bind it", o => o.Cpu, (o, v) => o with { Cpu = v }).AtLeast(0).As("Bind Thread");
        Assert.Null(table.Parse([]).Problem);
        Assert.Equal("-bindThread must be 0 or more", table.Parse(["-bindThread", "-1"]).Problem);
    }
}
