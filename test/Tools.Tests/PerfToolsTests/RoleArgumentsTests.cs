using PerfTools.Processes;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class RoleArgumentsTests
{
    [Theory]
    [InlineData("-updateRate")]
    [InlineData("--updateRate")]
    [InlineData("-updateRate=5000")]
    [InlineData("--updateRate:5000")]
    public void Set_OptionTheUserGave_LeavesItToTheUser(string given)
    {
        RoleArguments arguments = new RoleArguments([given]).Set("-updateRate", 100).Set("-p", 0);
        Assert.Equal(["-p", "0", given], arguments.All);
    }

    [Fact]
    public void Set_OtherNameGiven_LeavesItToTheUser() =>
        Assert.Equal(["-c", "socket"], new RoleArguments(["-c", "socket"]).Set("-connType", "encrypted", "-c").All);

    [Theory]
    [InlineData(new[] { "-threads", "2" }, "2")]
    [InlineData(new[] { "--threads=2" }, "2")]
    [InlineData(new[] { "-reactor", "-threads:1,3" }, "1,3")]
    [InlineData(new[] { "-threads" }, null)]
    [InlineData(new string[0], null)]
    public void ValueOf_EveryForm_IsFound(string[] given, string? expected) =>
        Assert.Equal(expected, new RoleArguments(given).ValueOf("-threads"));

    [Theory]
    [InlineData("", 100)]
    [InlineData("-updateRate 5000", 5000)]
    [InlineData("--updateRate=7", 7)]
    [InlineData("-updateRate many", 100)]
    public void RateOf_UsersOwnRate_Counts(string sender, int expected)
    {
        ArgumentText.TrySplit(sender, out IReadOnlyList<string> arguments, out _);
        Assert.Equal(expected, RoleArgumentRules.RateOf(arguments, "-updateRate", 100));
    }

    [Theory]
    [InlineData("", 1)]
    [InlineData("-threads 3", 3)]
    [InlineData("-threads 1,-1", 2)]
    public void CountConnections_UsersOwnThreads_Count(string client, int expected)
    {
        ArgumentText.TrySplit(client, out IReadOnlyList<string> arguments, out _);
        Assert.Equal(expected, RoleArgumentRules.CountConnections("client", new ScenarioOptions().WithArguments("client", arguments)));
    }

    [Theory]
    [InlineData(new[] { "-ppasswd", "secret", "-p", "1" }, new[] { "-ppasswd", "***", "-p", "1" })]
    [InlineData(new[] { "--keypasswd=secret" }, new[] { "-keypasswd=***" })]
    [InlineData(new[] { "-keypasswd" }, new[] { "-keypasswd" })]
    public void Hide_Passwords_AreReplaced(string[] arguments, string[] expected) =>
        Assert.Equal(expected, RoleArguments.HideSecrets(arguments));

    [Theory]
    [InlineData("-p 1 -ppasswd secret", "-ppasswd")]
    [InlineData("--keypasswd=secret -ppasswd x", "-keypasswd -ppasswd")]
    [InlineData("-keypasswd @file -ppasswd @other", "")] // not on the command line
    [InlineData("-keypasswd", "")]
    [InlineData("-p 1", "")]
    public void FindOpenSecrets_Passwords_AreThoseThatStandThere(string arguments, string expected) =>
        Assert.Equal(expected, string.Join(' ', RoleArguments.FindOpenSecrets(arguments.Split(' '))));
}
