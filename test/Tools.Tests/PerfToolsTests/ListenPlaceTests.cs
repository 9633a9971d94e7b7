using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Where roles listen, and when it is said that other machines can connect.</summary>
[Trait("Category", "Fast")]
public class ListenPlaceTests
{
    private const string Open = "The roles listen on every address of this machine, not on 127.0.0.1 alone: ";

    [Theory]
    [InlineData("", 1, null)]
    [InlineData("", 2, Open + "2 ranks.")]
    [InlineData("hub", 3, Open + "3 ranks.")]
    [InlineData("hub", 1, Open + "external role hub.")]
    [InlineData("provider hub", 1, Open + "external roles provider, hub.")]
    public void Describe_OtherMachines_SaysWhy(string external, int ranks, string? expected) =>
        Assert.Equal(expected, ListenPlace.Describe(external.Split(' ', StringSplitOptions.RemoveEmptyEntries), ranks));

    [Theory]
    [InlineData("127.0.0.1", "127.0.0.1")]
    [InlineData("127.8.9.10", "127.8.9.10")] // all of the loopback's network
    [InlineData("192.0.2.1", null)] // no machine has it
    [InlineData("a-name", null)]
    [InlineData(null, null)]
    public void FindInterface_Address_IsThatOfThisMachineOrNone(string? asked, string? expected) => Assert.Equal(expected, ListenPlace.FindInterface(asked));
}
