using System.Collections;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Machine;

public class SystemFactsTests
{
    [Theory]
    [InlineData("150000 100000", 1.5)]
    [InlineData("max 100000", null)]
    [InlineData("-1 100000", null)]
    [InlineData(" ", null)]
    [InlineData(null, null)]
    public void ParseQuota_OfAControlGroup_IsInProcessors(string? text, double? expected) =>
        Assert.Equal(expected, SystemFacts.ParseQuota(text));

    [Theory]
    [InlineData("1073741824", 1024.0)]
    [InlineData("max", null)]
    [InlineData("9223372036854771712", null)]
    [InlineData(null, null)]
    public void ParseBytes_OfAControlGroup_IsInMegabytes(string? text, double? expected) =>
        Assert.Equal(expected, SystemFacts.ParseBytes(text));

    [Fact]
    public void FindSwitches_Environment_HasThoseOfTheRuntimeAlone()
    {
        Hashtable variables = new()
        {
            ["DOTNET_TieredPGO"] = "0",
            ["DOTNET_ROOT"] = "/usr",
            ["DOTNET_gcServer"] = "1",
            ["DOTNET_CLI_HOME"] = "/tmp",
            ["PATH"] = "x"
        };
        Assert.Equal(new Dictionary<string, string> { ["DOTNET_TieredPGO"] = "0", ["DOTNET_gcServer"] = "1" },
            SystemFacts.FindSwitches(variables));
    }

    [Fact]
    public void Current_Machine_HasTheVersionOfItsTools()
    {
        Assert.Equal(typeof(RunDocument).Assembly.GetName().Version!.ToString(3), ThisMachine.Description.ToolsVersion);
        Assert.Null(ThisMachine.Description.WithTools("/nowhere").ToolsVersion);
    }
}
