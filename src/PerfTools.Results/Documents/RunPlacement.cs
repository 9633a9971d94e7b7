using System.Globalization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The ways in which two connected roles shared processors: latency depends on it as much as on rate and items.</summary>
internal enum PlacementKind
{
    /// <summary>One processor ran both most of the time.</summary>
    Shared,

    /// <summary>Each had a processor to itself most of the time.</summary>
    Apart,

    /// <summary>Sometimes one processor, sometimes two.</summary>
    Moving,
}

/// <summary>The processors of a run's roles: a pair is faster or slower by a factor on one processor than on two.</summary>
/// <param name="Roles">The roles that report them, in the order of the run.</param>
/// <param name="Pairs">The pairs among them that send each other messages.</param>
internal sealed record RunPlacement(IReadOnlyList<RolePlacement> Roles, IReadOnlyList<PairPlacement> Pairs)
{
    /// <summary>All roles with their processors, and those that shared one, as <c>provider 0, consumer 0 (shared)</c>.</summary>
    public string Text => string.Join(", ", Roles.Select(role => role.Text)) + (DescribeSharing() is { } sharing ? $" ({sharing})" : "");

    /// <summary>
    /// Reads the placements that the roles recorded; null where none did, and over several machines, whose processors have the same numbers.
    /// </summary>
    public static RunPlacement? TryRead(RunDocument run)
    {
        RolePlacement[] roles = run.Ranks is not null ? []
            : run.Figures?.RoundTrips is not null ? ReadRoundTrips(run) : [.. run.Roles.Select(RolePlacement.TryRead).OfType<RolePlacement>()];
        IEnumerable<(string, string)> connected = run.Figures?.RoundTrips is not null && roles is [var own, var echoer]
            ? [(own.Role, echoer.Role)] : run.Links.Select(link => (link.From, link.To));
        return roles.Length == 0 ? null : new(roles, [.. FindPairs(roles, connected)]);
    }

    /// <summary>Describes how the pairs of one run or several ran.</summary>
    public static string Describe(IReadOnlyList<RunPlacement> placements) => string.Join(", ",
        placements.GroupBy(one => one.PairText).Select(kind => kind.Count() == placements.Count
            ? kind.Key : string.Create(CultureInfo.InvariantCulture, $"{kind.Count()} {kind.Key}")));

    /// <summary>
    /// Finds why the figures of two sides cannot be compared: a pair that shared a processor in all runs of one side, and in none of the other; null
    /// where there is none.
    /// </summary>
    public static string? FindConflict(IReadOnlyList<RunPlacement> a, IReadOnlyList<RunPlacement> b)
    {
        foreach (PairPlacement pair in a.SelectMany(run => run.Pairs).Where(pair => pair.Kind != PlacementKind.Moving))
        {
            PlacementKind other = pair.Kind == PlacementKind.Shared ? PlacementKind.Apart : PlacementKind.Shared;
            if (Are(a, pair) && Are(b, pair with { Kind = other }))
            {
                string of = a[0].Pairs.Count > 1 ? $" of {pair.Names}" : "";
                return $"placement{of}: A {pair.KindText} and B {(pair with { Kind = other }).KindText}";
            }
        }

        return null;
    }

    private string PairText => string.Join(", ", Pairs.Select(pair => Pairs.Count > 1 ? $"{pair.Names} {pair.KindText}" : pair.KindText));

    private string? DescribeSharing()
    {
        PairPlacement[] all = [.. FindPairs(Roles, Roles.SelectMany((a, i) => Roles.Skip(i + 1).Select(b => (a.Role, b.Role))))];
        string[] shared = [.. all.Where(pair => pair.Kind == PlacementKind.Shared).Select(pair => $"{pair.Names} shared")];
        return all switch
        {
            [{ Kind: PlacementKind.Shared }] => "shared",
            [{ Kind: PlacementKind.Moving }] => "moving",
            _ => shared.Length > 0 ? string.Join(", ", shared) : null,
        };
    }

    // Its single thread reports its own last processor, and that of the thread that echoes.
    private static RolePlacement[] ReadRoundTrips(RunDocument run)
    {
        JsonView final = new(run.Roles.FirstOrDefault(role => role.Name == RoleNames.Publisher)?.Final);
        return final.Number("processor") is { } own && final.Parts("told") is [.., var echoer]
            ? [RolePlacement.OfLastSeen(RoleNames.Publisher, (long)own, final.Count("moves")),
                RolePlacement.OfLastSeen("echoer", (long)(echoer.Number("processor") ?? -1), echoer.Count("moves"))]
            : [];
    }

    // Each pair once, whichever of the two sends more.
    private static IEnumerable<PairPlacement> FindPairs(IReadOnlyList<RolePlacement> roles, IEnumerable<(string From, string To)> connected)
    {
        HashSet<(string, string)> seen = [];
        foreach ((string from, string to) in connected.Where(pair => pair.From != pair.To))
        {
            if (seen.Add((from, to)) && !seen.Contains((to, from)) && Find(roles, from) is { } first && Find(roles, to) is { } second)
            {
                yield return PairPlacement.Of(first, second);
            }
        }
    }

    // A link may name several processes of a kind together.
    private static RolePlacement? Find(IReadOnlyList<RolePlacement> roles, string name) => roles.FirstOrDefault(role => role.Role == name)
        ?? RolePlacement.Merge(name, [.. roles.Where(role => RoleNames.IsOneOf(role.Role, name))]);

    private static bool Are(IReadOnlyList<RunPlacement> placements, PairPlacement pair) =>
        placements.Count > 0 && placements.All(one => one.Pairs.Contains(pair));
}

/// <summary>Placement of two roles, named in the order of their first link.</summary>
internal sealed record PairPlacement(string From, string To, PlacementKind Kind)
{
    private const double MinShared = 0.6;
    private const double MaxApart = 0.2;

    public string Names => $"{From} and {To}";

    public string KindText => Kind switch
    {
        PlacementKind.Shared => "on one processor",
        PlacementKind.Apart => "on two processors",
        _ => "moving between processors",
    };

    public static PairPlacement Of(RolePlacement from, RolePlacement to) => new(from.Role, to.Role, from.OverlapWith(to) switch
    {
        >= MinShared => PlacementKind.Shared,
        <= MaxApart => PlacementKind.Apart,
        _ => PlacementKind.Moving,
    });
}
