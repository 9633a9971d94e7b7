using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The links of a ramp from counters that all differ: each count is that of its name, and only whole counts are compared.</summary>
[Trait("Category", "Fast")]
public sealed class RampLinksTests : IDisposable
{
    private const string HubCounts = "\"updatesReceived\":100,\"copiesDue\":205,\"updatesSent\":200,\"updatesConflated\":3,\"updatesDropped\":4," +
        "\"updatesNotSent\":5,\"copiesUnwatched\":23,\"imagesSent\":50,\"imagesNotSent\":6";

    private const string HubPosts = ",\"postsReceived\":30,\"postsCopied\":7,\"postsReflected\":31,\"postsRefused\":8,\"postsNotReflected\":9,\"postsUnwatched\":24";

    private readonly RunDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Read_OfARampWithPosts_HasEachCounterOfEachRole()
    {
        UsersRole[] roles = [Hub(HubCounts + HubPosts), Source(1), Source(2), User(1, posts: 12), User(2, posts: 13)];
        Assert.Equal(
            [
                ("sources", "hub", "updates", 60 + 61, 100, 0, 10 + 11),
                ("hub", "hub", "copies due", 205, 200, 3 + 4 + 5 + 23, 0),
                ("hub", "users", "updates", 200 + 31, 121 + 122, 0, 3 + 4),
                ("hub", "users", "images", 50, 26 + 27, 0, 6),
                ("users", "hub", "posts", 12 + 13, 30, 0, 15 + 16),
                ("hub", "hub", "posts passed on", 30 + 7, 31, 8 + 9, 0),
            ],
            Flat(roles));
        Assert.All(RampLinks.Read(roles, isWhole: true), link => Assert.True(link.Comparable));
        Assert.Equal([0, 23, 0, 0, 0, 24], RampLinks.Read(roles, isWhole: true).Select(link => link.Unwatched));
    }

    /// <summary>Posts are named where either side has any.</summary>
    [Theory]
    [InlineData(0, 0, 4)]
    [InlineData(1, 0, 6)]
    [InlineData(0, 1, 6)]
    public void Read_OfPosts_HasThemWhereThereAreAny(int sent, int received, int links) => Assert.Equal(links,
        RampLinks.Read([Hub($"{HubCounts},\"postsReceived\":{received}"), Source(1), User(1, sent)], isWhole: true).Count());

    /// <summary>Without a role that is all of its side there are no counts of it, and without one line of several there are none of any.</summary>
    [Fact]
    public void Read_OfARoleWithoutItsFinalLine_HasNoCountsOfItsSide()
    {
        UsersRole[] roles = [Hub(HubCounts), Source(1), Source(2, final: false), User(1)];
        Assert.Equal((null, 100L, null), Counts(roles, 0));
        Assert.All(RampLinks.Read(roles, isWhole: true), link => Assert.False(link.Comparable));
        Assert.Equal((60L, null, 10L), Counts([Source(1), User(1)], 0));
        Assert.Equal((200L, null, 7L), Counts([Hub(HubCounts), Source(1)], 2));
        Assert.All(RampLinks.Read([Source(1), User(1)], isWhole: true), link => Assert.False(link.Comparable));
    }

    [Fact]
    public void Read_OfAPartOfTheRoles_ComparesNothing()
    {
        UsersRole[] roles = [Hub(HubCounts), Source(1), User(1)];
        Assert.All(RampLinks.Read(roles, isWhole: true), link => Assert.True(link.Comparable));
        Assert.All(RampLinks.Read(roles, isWhole: false), link => Assert.False(link.Comparable));
        Assert.All(RampLinks.Read([Hub(HubCounts), Source(1), User(1, comparable: false)], isWhole: true), link => Assert.False(link.Comparable));
    }

    private static (long? Sent, long? Received, long? NotSent) Counts(IReadOnlyList<UsersRole> roles, int link) =>
        RampLinks.Read(roles, isWhole: true).ElementAt(link) is var found ? (found.Sent, found.Received, found.NotSent) : default;

    private static IEnumerable<(string, string, string, long, long, long, long)> Flat(IReadOnlyList<UsersRole> roles) =>
        RampLinks.Read(roles, isWhole: true).Select(link =>
            (link.From, link.To, link.What, link.Sent!.Value, link.Received!.Value, link.Lost!.Value, link.NotSent!.Value));

    private UsersRole Hub(string counts) => Role("hub", ToolNames.Hub, counts);

    private UsersRole Source(int part, bool final = true) =>
        Role($"source-{part}", ToolNames.Source, $"\"updatesSent\":{59 + part},\"updatesNotSent\":{9 + part}", final);

    private UsersRole User(int part, int posts = 0, bool comparable = true) => Role($"users-{part}", ToolNames.Users,
        $"\"updatesReceived\":{120 + part},\"refreshesReceived\":{25 + part},\"postsSent\":{posts},\"postsNotSent\":{14 + part}", comparable: comparable);

    private UsersRole Role(string name, string tool, string counts, bool final = true, bool comparable = true)
    {
        File.WriteAllText(_folder.File($"{name}.jsonl"),
            $"{{\"final\":{(final ? "true" : "false")},{(comparable ? "" : "\"comparable\":false,")}\"overall\":{{\"counts\":{{{counts}}}}}}}\n");
        UsersRole role = new(name, tool, _folder.Path, new($"{name}.log", $"{name}.jsonl", name));
        role.Read();
        return role;
    }
}
