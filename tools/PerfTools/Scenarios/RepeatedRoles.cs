using PerfTools.Processes;
using PerfTools.Ranks;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios;

/// <summary>
/// A scenario of which a role has several processes, on one rank or several, each with its own name and files. A link counts the messages of all of them.
/// </summary>
/// <remarks>
/// Where a role that others connect to has n processes, process i of those others connects to number i of it, and beyond the last to the first again. A
/// role that connects to all of them does not; then process i of those that receive through it receives the messages of number i.
/// </remarks>
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
            Pairs = [.. CreatePairs(scenario, place)],
            Figures = scenario.Figures with
            {
                Measured = scenario.Figures.Measured with { MeasuredBy = [.. scenario.Figures.Measured.MeasuredBy.SelectMany(role => Names(role, place))] },
            },
        };
    }

    /// <summary>Finds a process to which none would connect, as a sentence; null when there is none.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="place">The ranks of its roles.</param>
    public static string? FindIdle(Scenario scenario, RankPlacement place) =>
        (from server in scenario.Roles
         where IsRepeated(place, server.Name)
         let several = place.RanksOf(server.Name).Count
         from client in scenario.Roles
         where (IsClient(client, server.Name) || client.Source == server.Name) && place.RanksOf(client.Name).Count < several
         select FormattableString.Invariant($"--place: {several} processes of {server.Name} need {several} of {client.Name} or more, not ")
            + FormattableString.Invariant($"{place.RanksOf(client.Name).Count}")).FirstOrDefault();

    /// <summary>Gives each process the arguments of its role, and the program that plays it.</summary>
    /// <param name="options">The options, with a placement.</param>
    public static ScenarioOptions Of(ScenarioOptions options) => options with
    {
        Editions = options.Editions.Tools.Keys.Where(role => IsRepeated(options.Ranks.Place!, role)).Aggregate(
            options.Editions, (editions, role) => editions.Repeat(role, [.. Names(role, options.Ranks.Place!)])),
        Arguments = options.Arguments.Roles.Where(role => IsRepeated(options.Ranks.Place!, role)).Aggregate(
            options.Arguments, (all, role) => all.Copy(role, Names(role, options.Ranks.Place!))),
    };

    /// <summary>The names of the processes of a role.</summary>
    public static IReadOnlyList<string> NamesOf(string role, ScenarioOptions options) =>
        options.Ranks.Place is { } place ? [.. Names(role, place)] : [role];

    private static bool IsRepeated(RankPlacement place, string role) => place.RanksOf(role).Count > 1;

    private static IEnumerable<Role> Repeat(Role role, RankPlacement place) =>
        !IsRepeated(place, role.Name) ? [Connect(role, 0, place)]
        : place.RanksOf(role.Name).Select((_, i) => Connect(
            Tell(role.Number(i + 1), context => context with { Share = (i + 1, place.RanksOf(role.Name).Count) }), i, place));

    // A process finds the one that it connects to under the name of the role.
    private static Role Connect(Role role, int index, RankPlacement place)
    {
        foreach (string peer in role.ConnectsTo.Where(peer => IsRepeated(place, peer)))
        {
            string own = PeerOf(index, peer, place);
            role = role.ConnectsToAll
                ? role with { ConnectsTo = [.. role.ConnectsTo.SelectMany(name => name == peer ? Names(peer, place) : [name])] }
                : Tell(role, context => context with
                { Addresses = new Dictionary<string, HostAddress>(context.Addresses) { [peer] = context.Addresses[own] } }) with
                {
                    ConnectsTo = [.. role.ConnectsTo.Select(name => name == peer ? own : name)],
                };
        }

        return role.Source is not { } source || !IsRepeated(place, source) ? role
            : Tell(role, context => context with { SourceNumber = NumberOf(index, source, place) }) with { Source = PeerOf(index, source, place) };
    }

    private static Role Tell(Role role, Func<RoleContext, RoleContext> tell)
    {
        Func<RoleArguments, RoleContext, RoleArguments> add = role.AddArguments;
        return role with { AddArguments = (arguments, context) => add(arguments, tell(context)) };
    }

    private static bool IsClient(Role role, string server) => role.ConnectsTo.Contains(server) && !role.ConnectsToAll;

    private static int NumberOf(int index, string peer, RankPlacement place) => (index % place.RanksOf(peer).Count) + 1;

    private static string PeerOf(int index, string peer, RankPlacement place) => RoleNames.OneOf(peer, NumberOf(index, peer, place));

    // The links between each process that others connect to and those that do.
    private static IEnumerable<Link> CreatePairs(Scenario scenario, RankPlacement place) =>
        from server in scenario.Roles
        where IsRepeated(place, server.Name)
        from client in scenario.Roles
        where IsClient(client, server.Name)
        from process in Names(server.Name, place)
        let clients = RoleNames.List(Names(client.Name, place).Where((_, i) => PeerOf(i, server.Name, place) == process))
        from link in scenario.Links
        where (link.From, link.To) == (server.Name, client.Name) || (link.From, link.To) == (client.Name, server.Name)
        select link.From == server.Name ? link with { From = process, To = clients } : link with { From = clients, To = process };

    private static IEnumerable<string> Names(string role, RankPlacement place) =>
        IsRepeated(place, role) ? place.RanksOf(role).Select((_, i) => RoleNames.OneOf(role, i + 1)) : [role];
}
