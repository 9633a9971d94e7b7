using System.Globalization;

namespace PerfTools.Ranks;

/// <summary>The ranks of a hub, its sources and its users.</summary>
/// <param name="Hub">The hub's rank; null where the hub is external.</param>
/// <param name="Sources">The ranks with sources, ascending.</param>
/// <param name="Users">The ranks with users, ascending.</param>
internal sealed record RankPlacement(int? Hub, IReadOnlyList<int> Sources, IReadOnlyList<int> Users)
{
    public const string HubRole = "hub";
    public const string SourceRole = "source";
    public const string UsersRole = "users";
    public const string Kind = "a list such as hub=0,source=1,users=1-5";

    /// <summary>The default: the hub by itself, sources and users on the next rank, only users on all others; everything on a single rank.</summary>
    public static RankPlacement Usual(int count) =>
        count == 1 ? new(0, [0], [0]) : new(0, [1], [.. Enumerable.Range(1, count - 1)]);

    /// <summary>Parses a list.</summary>
    /// <param name="text">Role by role, each with a rank or first-last; a role may occur several times.</param>
    /// <returns>Null for other text; the number of ranks is not known here.</returns>
    public static RankPlacement? TryParse(string text)
    {
        Dictionary<string, SortedSet<int>> ranks = new() { [HubRole] = [], [SourceRole] = [], [UsersRole] = [] };
        foreach (string entry in text.Split(','))
        {
            if (entry.Split('=') is not [var role, var range] || !ranks.TryGetValue(role, out SortedSet<int>? own) || !TryAdd(own, range))
                return null;
        }

        return ranks[HubRole].Count > 1
            ? null : new(ranks[HubRole] is { Count: 1 } hub ? hub.Min : null, [.. ranks[SourceRole]], [.. ranks[UsersRole]]);
    }

    /// <summary>The same without the external roles.</summary>
    public RankPlacement Without(IEnumerable<string> external) => external.Aggregate(this, (place, role) => role switch
    {
        HubRole => place with { Hub = null },
        SourceRole => place with { Sources = [] },
        _ => place,
    });

    /// <summary>Finds the first error of the placement in a run of <paramref name="count"/> ranks, as a sentence; null when there is none.</summary>
    /// <param name="count">The number of ranks.</param>
    /// <param name="external">The external roles.</param>
    public string? FindProblem(int count, IEnumerable<string> external)
    {
        string[] absent = [.. external];
        if (Sources.Concat(Users).Append(Hub ?? 0).Max() is var last && last >= count)
            return string.Create(CultureInfo.InvariantCulture, $"--place: there is no rank {last} among {count}");
        return FindMissing(HubRole, Hub is null, absent) ?? FindMissing(SourceRole, Sources.Count == 0, absent)
            ?? FindMissing(UsersRole, Users.Count == 0, absent);
    }

    /// <summary>The roles of a rank, for people.</summary>
    public IEnumerable<string> RolesOf(int rank) =>
        [.. Hub == rank ? [HubRole] : (string[])[], .. Sources.Contains(rank) ? [SourceRole] : (string[])[],
            .. Users.Contains(rank) ? [UsersRole] : (string[])[]];

    /// <summary>The placement as the user types it, one rank after the other.</summary>
    public override string ToString() =>
        string.Join(',', Entries(HubRole, Hub is { } hub ? [hub] : []), Entries(SourceRole, Sources), Entries(UsersRole, Users)).Trim(',');

    private static string Entries(string role, IReadOnlyList<int> ranks) =>
        string.Join(',', ranks.Select(rank => string.Create(CultureInfo.InvariantCulture, $"{role}={rank}")));

    private static string? FindMissing(string role, bool isMissing, string[] external) =>
        isMissing == external.Contains(role)
            ? null : isMissing ? $"--place: no rank has the {role}" : $"--place: the {role} is external and has no rank";

    private static bool TryAdd(SortedSet<int> ranks, string range)
    {
        string[] ends = range.Split('-');
        if (ends.Length > 2 || !TryRead(ends[0], out int first) || !TryRead(ends[^1], out int last) || first > last)
            return false;
        ranks.UnionWith(Enumerable.Range(first, last - first + 1));
        return true;
    }

    private static bool TryRead(string text, out int rank) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out rank) && RankIdentity.AreFit(0, rank + 1);
}
