using PerfTools.Ranks;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios;

/// <summary>
/// A scenario of which a role has several processes, on one rank or several, each with its own name and files. A link counts the messages of all of them.
/// </summary>
internal static class RepeatedRoles
{
    /// <summary>The names of the roles that may have several processes.</summary>
    public static IReadOnlyList<string> Find(Scenario scenario) => [.. scenario.Roles.Where(role => role.IsRepeatable).Select(role => role.Name)];

    /// <summary>Creates the scenario with each process as a role.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="place">The ranks of its roles.</param>
    public static Scenario Of(Scenario scenario, RankPlacement place)
    {
        string NameOf(string role) => IsRepeated(place, role) ? RoleNames.Several(role) : role;
        return scenario with
        {
            Roles = [.. scenario.Roles.SelectMany(role => Repeat(role, place))],
            Links = [.. scenario.Links.Select(link => link with { From = NameOf(link.From), To = NameOf(link.To) })],
            Figures = scenario.Figures with
            {
                Measured = scenario.Figures.Measured with { MeasuredBy = [.. scenario.Figures.Measured.MeasuredBy.SelectMany(role => Names(role, place))] },
            },
        };
    }

    /// <summary>Gives each process the arguments of its role.</summary>
    /// <param name="options">The options, with a placement.</param>
    public static ScenarioOptions Of(ScenarioOptions options) => options with
    {
        Arguments = options.Arguments.AddRange(from role in options.Arguments
                                               where IsRepeated(options.Ranks.Place!, role.Key)
                                               from name in Names(role.Key, options.Ranks.Place!)
                                               select KeyValuePair.Create(name, role.Value)),
    };

    private static bool IsRepeated(RankPlacement place, string role) => place.RanksOf(role).Count > 1;

    private static IEnumerable<Role> Repeat(Role role, RankPlacement place) =>
        IsRepeated(place, role.Name) ? place.RanksOf(role.Name).Select((_, i) => role.Number(i + 1)) : [role];

    private static IEnumerable<string> Names(string role, RankPlacement place) =>
        IsRepeated(place, role) ? place.RanksOf(role).Select((_, i) => RoleNames.OneOf(role, i + 1)) : [role];
}
