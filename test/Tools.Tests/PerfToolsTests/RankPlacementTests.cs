using PerfTools.Ranks;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The placement of roles on ranks.</summary>
[Trait("Category", "Fast")]
public sealed class RankPlacementTests
{
    [Theory]
    [InlineData("direct", 2, "provider=0,consumer=1", "provider=0,consumer=1", null)]
    [InlineData("direct", 1, "consumer=0,provider=0", "provider=0,consumer=0", null)]
    [InlineData("hub-direct", 3, "consumer=2,hub=1,provider=0", "provider=0,hub=1,consumer=2", null)]
    [InlineData("hub-direct", 3, "hub=1,provider=0", "provider=0,hub=1", "--place: no rank has the consumer")]
    [InlineData("direct", 2, "provider=0,consumer=2", "provider=0,consumer=2", "--place: there is no rank 2 among 2")]
    [InlineData("direct", 6, "provider=0,consumer=2-4", "provider=0,consumer=2,consumer=3,consumer=4", null)]
    [InlineData("hub-direct", 6, "provider=0,hub=1,consumer=2,consumer=5,consumer=3", "provider=0,hub=1,consumer=2,consumer=3,consumer=5", null)]
    [InlineData("ni-hub", 3, "hub=0,publisher=0,consumer=1-2", "hub=0,publisher=0,consumer=1,consumer=2", null)]
    [InlineData("posting", 3, "hub=0,publisher=0,consumer=0-2", "hub=0,publisher=0,consumer=0,consumer=1,consumer=2", null)]
    [InlineData("direct", 2, "provider=0-1,consumer=1", "provider=0,provider=1,consumer=1",
        "--place: 2 processes of provider need 2 of consumer or more, not 1")]
    [InlineData("direct", 4, "provider=0-1,consumer=2-3", "provider=0,provider=1,consumer=2,consumer=3", null)]
    [InlineData("direct", 4, "provider=0x2,provider=1,consumer=2x2", "provider=0x2,provider=1,consumer=2x2",
        "--place: 3 processes of provider need 3 of consumer or more, not 2")]
    [InlineData("hub-direct", 4, "provider=0-1,hub=1,consumer=2-3", "provider=0,provider=1,hub=1,consumer=2,consumer=3", null)]
    [InlineData("hub-direct", 4, "provider=0-1,hub=1,consumer=2", "provider=0,provider=1,hub=1,consumer=2",
        "--place: 2 processes of provider need 2 of consumer or more, not 1")]
    [InlineData("hub-direct", 4, "provider=0,hub=1-2,consumer=2-3", "provider=0,hub=1,hub=2,consumer=2,consumer=3",
        "--place: the hub has ranks 1, 2; only the provider and the consumer of this scenario may have several")]
    [InlineData("ni-hub", 3, "hub=0,publisher=0-1,consumer=2", "hub=0,publisher=0,publisher=1,consumer=2", null)]
    [InlineData("posting", 3, "hub=0,publisher=0-1,publisher=2x2,consumer=2", "hub=0,publisher=0,publisher=1,publisher=2x2,consumer=2", null)]
    [InlineData("transport", 3, "server=0,client=1-2", "server=0,client=1,client=2", null)]
    [InlineData("reflect", 3, "server=0-1,client=2", "server=0,server=1,client=2",
        "--place: the server has ranks 0, 1; only the client of this scenario may have several")]
    [InlineData("transport", 2, "server=1,client=0", "server=1,client=0", null)]
    [InlineData("direct", 2, "provider=0,consumer=1x3", "provider=0,consumer=1x3", null)]
    [InlineData("direct", 6, "provider=0,consumer=2-3x3,consumer=5", "provider=0,consumer=2x3,consumer=3x3,consumer=5", null)]
    [InlineData("direct", 2, "provider=0,consumer=0x2,consumer=1,consumer=0x3,consumer=0-1", "provider=0,consumer=0x3,consumer=1", null)]
    [InlineData("direct", 2, "provider=0x1,consumer=1x64", "provider=0,consumer=1x64", null)]
    [InlineData("direct", 2, "provider=0,consumer=0,consumer=1x65", "provider=0,consumer=0,consumer=1x65",
        "--place: rank 1 has more than 64 processes of consumer")]
    [InlineData("direct", 2, "provider=0x65,consumer=1x64", "provider=0x65,consumer=1x64", "--place: rank 0 has more than 64 processes of provider")]
    [InlineData("hub-direct", 3, "provider=0,hub=1x2,consumer=2x2", "provider=0,hub=1x2,consumer=2x2",
        "--place: rank 1 has several processes of hub; only the provider and the consumer of this scenario may have several")]
    [InlineData("transport", 2, "server=0,client=1x2", "server=0,client=1x2", null)]
    [InlineData("direct", 2, "provider=0,consumer=2x2", "provider=0,consumer=2x2", "--place: there is no rank 2 among 2")]
    public void Place_IsReadAndChecked(string scenario, int count, string text, string shown, string? problem)
    {
        Scenario asked = ScenarioList.All.Single(one => one.Name == scenario);
        string[] roles = [.. asked.Roles.Select(role => role.Name)];
        RankPlacement place = RankPlacement.TryParse(text, roles)!;
        Assert.Equal(shown, place.ToString());
        Assert.Equal(problem, place.FindProblem(count, roles, []) ?? place.FindSeveral(RepeatedRoles.Find(asked))
            ?? RepeatedRoles.FindIdle(asked, place));
    }

    [Theory]
    [InlineData("provider=0,consumer=1", "provider=0,consumer=1")]
    [InlineData("provider=0,consumer=1-3", "provider=0,consumer-1=1,consumer-2=2,consumer-3=3")]
    [InlineData("provider=2,consumer=3,consumer=0", "provider=2,consumer-1=0,consumer-2=3")]
    [InlineData("provider=0,consumer=2,consumer=1x2", "provider=0,consumer-1=1,consumer-2=1,consumer-3=2")]
    [InlineData("provider=0,consumer=1x1", "provider=0,consumer=1")]
    public void NameEach_ProcessesOfARole_AreNumberedByRank(string text, string expected)
    {
        RankPlacement named = RankPlacement.TryParse(text, ["provider", "consumer"])!.NameEach();
        Assert.Equal(expected, named.ToString());
        Assert.Equal(expected, named.NameEach().ToString());
    }

    [Theory]
    [InlineData("provider")]
    [InlineData("provider=0,hub=1")]
    [InlineData("provider=x")]
    [InlineData("provider=2-1")]
    [InlineData("provider=0,consumer=1x")]
    [InlineData("provider=0,consumer=1x0")]
    [InlineData("provider=0,consumer=1x2x2")]
    [InlineData("provider=0,consumer=x2")]
    [InlineData("provider=0,consumer=1x2-3")]
    [InlineData("")]
    public void Place_OfOtherForm_IsNone(string text) => Assert.Null(RankPlacement.TryParse(text, ["provider", "consumer"]));

    [Theory]
    [InlineData(1, "provider=0,hub=0,consumer=0")]
    [InlineData(2, "provider=0,hub=1,consumer=1")]
    [InlineData(3, "provider=0,hub=1,consumer=2")]
    [InlineData(5, "provider=0,hub=1,consumer=2")]
    public void InTurn_EachCount_PlacesEveryRole(int count, string expected) =>
        Assert.Equal(expected, RankPlacement.InTurn(["provider", "hub", "consumer"], count).ToString());

    [Fact]
    public void FindProblem_OfAbsentRoles_NamesThem()
    {
        RankPlacement place = RankPlacement.InTurn(["hub", "publisher", "consumer"], 3);
        Assert.Equal("--place: the publisher takes no part in this run", place.FindProblem(3, ["hub", "consumer"], []));
        Assert.Equal("--place: the hub is external and has no rank", place.FindProblem(3, ["hub", "publisher", "consumer"], ["hub"]));
        Assert.Null(place.Without(["hub"]).FindProblem(3, ["hub", "publisher", "consumer"], ["hub"]));
    }
}
