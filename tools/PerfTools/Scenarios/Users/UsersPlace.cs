using PerfTools.Ranks;

namespace PerfTools.Scenarios.Users;

/// <summary>The ranks of a hub, its sources and its users.</summary>
internal static class UsersPlace
{
    public const string Kind = "a list such as hub=0,source=1,users=1-5";

    private const string UsersRole = "users";

    /// <summary>The roles, in their order.</summary>
    public static IReadOnlyList<string> Roles { get; } = [UsersOptions.HubRole, UsersOptions.SourceRole, UsersRole];

    /// <summary>The default: the hub by itself, sources and users on the next rank, only users on all others; everything on a single rank.</summary>
    public static RankPlacement Usual(int count) => count == 1 ? Of([0], [0], [0]) : Of([0], [1], [.. Enumerable.Range(1, count - 1)]);

    /// <summary>Parses a list; null for other text, and for several hubs.</summary>
    public static RankPlacement? TryParse(string text) =>
        RankPlacement.TryParse(text, Roles) is { } place && place.RanksOf(UsersOptions.HubRole).Count <= 1 ? place : null;

    /// <summary>Finds the first error of the placement in a run of <paramref name="count"/> ranks, as a sentence; null when there is none.</summary>
    public static string? FindProblem(this RankPlacement place, int count, IEnumerable<string> external) =>
        place.FindProblem(count, Roles, external) ?? place.FindCrowded([], "--users-processes sets how many a rank has");

    /// <summary>The hub's rank; null where the hub is external.</summary>
    public static int? Hub(this RankPlacement place) => place.RanksOf(UsersOptions.HubRole) is [var only, ..] ? only : null;

    /// <summary>The ranks with sources, ascending.</summary>
    public static IReadOnlyList<int> Sources(this RankPlacement place) => place.RanksOf(UsersOptions.SourceRole);

    /// <summary>The ranks with users, ascending.</summary>
    public static IReadOnlyList<int> Users(this RankPlacement place) => place.RanksOf(UsersRole);

    private static RankPlacement Of(params IReadOnlyList<int>[] ranks) => new(Roles.Zip(ranks, KeyValuePair.Create));
}
