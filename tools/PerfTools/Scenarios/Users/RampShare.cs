using PerfTools.Ranks;

namespace PerfTools.Scenarios.Users;

/// <summary>The processes of a ramp that are started here: all of them, or those of one rank.</summary>
/// <param name="HasHub">True for the hub.</param>
/// <param name="Sources">The parts of the subjects, from 1.</param>
/// <param name="Users">The parts of the users, from 1.</param>
/// <param name="AllUsers">The number of parts of the users on all ranks.</param>
/// <param name="Measures">False where the sources use the clock of another machine.</param>
internal sealed record RampShare(bool HasHub, IReadOnlyList<int> Sources, IReadOnlyList<int> Users, int AllUsers, bool Measures)
{
    /// <summary>
    /// Computes the share of a rank: the sources are assigned to their ranks in turn, each rank with users has the same number of processes.
    /// </summary>
    /// <param name="parameters">The parameters of the ramp.</param>
    /// <param name="place">The roles of each rank.</param>
    /// <param name="rank">The rank.</param>
    public static RampShare Of(UsersParameters parameters, RankPlacement place, int rank)
    {
        int own = parameters.UsersProcesses ?? 1, index = Position(place.Users(), rank);
        int[] sources =
            [.. Enumerable.Range(1,
                parameters.Sources).Where(part => place.Sources().Count > 0 && place.Sources()[(part - 1) % place.Sources().Count] == rank)];
        return new(
            place.Hub() == rank, sources, index < 0 ? [] : [.. Enumerable.Range((index * own) + 1, own)], place.Users().Count * own,
            Measures: place.Sources().All(other => other == rank)); // also where the sources are external
    }

    /// <summary>The roles of a ramp of this machine alone.</summary>
    public static RampShare OfOneMachine(UsersVariant variant, UsersOptions options) =>
        Of(variant.Parameters, UsersPlace.Usual(1).Without(options.External.Keys), 0);

    /// <summary>The names of the roles started here, for people.</summary>
    public IEnumerable<string> Roles =>
        [.. HasHub ? ["hub"] : (string[])[], .. Sources.Select(part => $"source-{part}"), .. Users.Select(part => $"users-{part}")];

    private static int Position(IReadOnlyList<int> ranks, int rank)
    {
        for (int i = 0; i < ranks.Count; i++)
        {
            if (ranks[i] == rank)
                return i;
        }

        return -1;
    }
}
