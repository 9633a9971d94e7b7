using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Ranks;

/// <summary>The ranks of each role of a run.</summary>
internal sealed class RankPlacement
{
    /// <summary>Maximum number of processes of one role on one rank.</summary>
    public const int MaxProcesses = 64;

    private const char Times = 'x';

    private readonly IReadOnlyList<KeyValuePair<string, IReadOnlyList<int>>> _roles;

    /// <param name="roles">The roles in their order, each with the ranks of its processes, ascending.</param>
    public RankPlacement(IEnumerable<KeyValuePair<string, IReadOnlyList<int>>> roles) => _roles = [.. roles.Where(role => role.Value.Count > 0)];

    /// <summary>The default of a run in which each role has one rank: the first role on rank 0, the next on the next, the rest on the last.</summary>
    public static RankPlacement InTurn(IEnumerable<string> roles, int count) =>
        new(roles.Select((role, i) => KeyValuePair.Create(role, (IReadOnlyList<int>)[Math.Min(i, count - 1)])));

    /// <summary>Parses a list.</summary>
    /// <param name="text">
    /// Role by role, each with a rank or first-last, and after an x the number of its processes on each; a role may occur several times, and of a rank that
    /// occurs twice the greater number counts.
    /// </param>
    /// <param name="roles">The roles that a run may have, in their order.</param>
    /// <returns>Null for other text; the number of ranks is not known here.</returns>
    public static RankPlacement? TryParse(string text, IEnumerable<string> roles)
    {
        Dictionary<string, SortedDictionary<int, int>> ranks = roles.ToDictionary(role => role, _ => new SortedDictionary<int, int>());
        foreach (string entry in text.Split(','))
        {
            if (entry.Split('=') is not [var role, var range] || !ranks.TryGetValue(role, out SortedDictionary<int, int>? own) || !TryAdd(own, range))
                return null;
        }

        return new(roles.Select(role => KeyValuePair.Create(role,
            (IReadOnlyList<int>)[.. ranks[role].SelectMany(rank => Enumerable.Repeat(rank.Key, rank.Value))])));
    }

    /// <summary>The ranks of the processes of a role, ascending: a rank with several is there as often; none where it has none.</summary>
    public IReadOnlyList<int> RanksOf(string role) => _roles.FirstOrDefault(one => one.Key == role).Value ?? [];

    /// <summary>The roles of a rank, in their order.</summary>
    public IEnumerable<string> RolesOf(int rank) => _roles.Where(role => role.Value.Contains(rank)).Select(role => role.Key);

    /// <summary>The same without the external roles.</summary>
    public RankPlacement Without(IEnumerable<string> external) => new(_roles.ExceptBy(external, role => role.Key));

    /// <summary>Finds the first error of the placement in a run of <paramref name="count"/> ranks, as a sentence; null when there is none.</summary>
    /// <param name="count">The number of ranks.</param>
    /// <param name="roles">The roles of the run.</param>
    /// <param name="external">The external roles.</param>
    public string? FindProblem(int count, IReadOnlyList<string> roles, IEnumerable<string> external)
    {
        string[] absent = [.. external];
        if (_roles.SelectMany(role => role.Value).Append(0).Max() is var last && last >= count)
            return string.Create(CultureInfo.InvariantCulture, $"--place: there is no rank {last} among {count}");
        return roles.Select(role => FindMissing(role, absent)).FirstOrDefault(problem => problem is not null)
            ?? (_roles.Select(role => role.Key).Except(roles).FirstOrDefault() is { } idle ? $"--place: the {idle} takes no part in this run" : null);
    }

    /// <summary>Finds a role with several ranks that must have one, as a sentence; null when there is none.</summary>
    /// <param name="repeatable">The roles that may have several.</param>
    public string? FindSeveral(IReadOnlyList<string> repeatable)
    {
        string instead = repeatable is [] ? "each role of this scenario has one"
            : $"only the {string.Join(" and the ", repeatable)} of this scenario may have several";
        return FindCrowded(repeatable, instead)
            ?? (_roles.FirstOrDefault(role => role.Value.Count > 1 && !repeatable.Contains(role.Key)) is not { Key: { } role, Value: { } ranks } ? null
            : $"--place: the {role} has ranks {string.Join(", ", ranks.Select(rank => rank.ToString(CultureInfo.InvariantCulture)))}; {instead}");
    }

    /// <summary>Finds a rank with several processes of a role that may have one there, or with too many, as a sentence; null when there is none.</summary>
    /// <param name="repeatable">The roles that may have several on a rank.</param>
    /// <param name="instead">The end of the sentence for other roles.</param>
    public string? FindCrowded(IReadOnlyList<string> repeatable, string instead)
    {
        foreach ((string role, IReadOnlyList<int> ranks) in _roles)
        {
            bool mayRepeat = repeatable.Contains(role);
            if (ranks.CountBy(rank => rank).FirstOrDefault(rank => rank.Value > (mayRepeat ? MaxProcesses : 1)) is { Value: > 0 } crowd)
            {
                return string.Create(CultureInfo.InvariantCulture,
                    $"--place: rank {crowd.Key} has {(mayRepeat ? $"more than {MaxProcesses} processes" : "several processes")} of "
                        + $"{role}{(mayRepeat ? "" : $"; {instead}")}");
            }
        }

        return null;
    }

    /// <summary>The same with one name for each process: the role's where it has one, else <c>role-1</c>, <c>role-2</c>, in the order of ranks.</summary>
    public RankPlacement NameEach() => new(_roles.SelectMany(role => role.Value.Count == 1 ? [role]
        : role.Value.Select((rank, i) => KeyValuePair.Create(RoleNames.OneOf(role.Key, i + 1), (IReadOnlyList<int>)[rank]))));

    /// <summary>The placement as the user types it, one rank after the other.</summary>
    public override string ToString() => string.Join(',', _roles.SelectMany(role => role.Value.CountBy(rank => rank).Select(rank =>
        string.Create(CultureInfo.InvariantCulture, $"{role.Key}={rank.Key}{(rank.Value > 1 ? $"{Times}{rank.Value}" : "")}"))));

    private string? FindMissing(string role, string[] external) => (RanksOf(role).Count == 0, external.Contains(role)) switch
    {
        (true, false) => $"--place: no rank has the {role}",
        (false, true) => $"--place: the {role} is external and has no rank",
        _ => null,
    };

    // More than the maximum are all alike: FindCrowded refuses them.
    private static bool TryAdd(SortedDictionary<int, int> ranks, string range)
    {
        string[] parts = range.Split(Times), ends = parts[0].Split('-');
        int count = 1;
        if (parts.Length > 2 || (parts.Length == 2 && !(TryRead(parts[1], out count) && count > 0)))
            return false;
        if (ends.Length > 2 || !TryRead(ends[0], out int first) || !TryRead(ends[^1], out int last) || first > last)
            return false;
        for (int rank = first; rank <= last; rank++)
            ranks[rank] = Math.Max(ranks.GetValueOrDefault(rank), Math.Min(count, MaxProcesses + 1));
        return true;
    }

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && RankIdentity.AreFit(0, number + 1);
}
