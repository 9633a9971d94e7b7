using System.Globalization;
using PerfTools.Processes;

namespace PerfTools.Scenarios;

/// <summary>Assigns the processors of <c>--bind auto</c>: one for each worker of each role that is started here.</summary>
internal static class WorkerBinding
{
    private static readonly string[] Own = ["-threads", "-bindThread", "-bindSession", "-bindSource"];

    /// <summary>Assigns the processors of each role's workers, by its name; none without the option, or where there are too few.</summary>
    public static IReadOnlyDictionary<string, IReadOnlyList<int>> Assign(
        Scenario scenario, ScenarioOptions options, IReadOnlyList<int> usable, ScenarioRanks? ranks = null) =>
            Assign(CountWorkers(scenario, options, ranks), usable);

    /// <summary>Assigns the processors of each role's workers, by its name; none where there are too few.</summary>
    /// <param name="roles">The roles that are started here and are to be pinned, with the number of their workers.</param>
    /// <param name="usable">The processors that may be used.</param>
    public static IReadOnlyDictionary<string, IReadOnlyList<int>> Assign(
        IReadOnlyList<(string Role, int Workers)> roles, IReadOnlyList<int> usable)
    {
        Dictionary<string, IReadOnlyList<int>> assigned = [];
        if (FindShortage(roles, usable) is not null)
            return assigned;
        int next = 0;
        foreach ((string role, int workers) in roles)
        {
            assigned[role] = [.. usable.Skip(next).Take(workers)];
            next += workers;
        }

        return assigned;
    }

    /// <summary>Reports that there are too few processors, so that the system places the workers; null when there are enough.</summary>
    public static string? FindShortage(Scenario scenario, ScenarioOptions options, IReadOnlyList<int> usable, ScenarioRanks? ranks = null) =>
        FindShortage(CountWorkers(scenario, options, ranks), usable);

    /// <inheritdoc cref="FindShortage(Scenario, ScenarioOptions, IReadOnlyList{int}, ScenarioRanks)"/>
    public static string? FindShortage(IReadOnlyList<(string Role, int Workers)> roles, IReadOnlyList<int> usable)
    {
        int needed = roles.Sum(role => role.Workers);
        return needed <= usable.Count ? null : string.Create(CultureInfo.InvariantCulture,
            $"Warning: --bind auto: {needed} workers need a processor each, {usable.Count} may be used; the workers are not bound.");
    }

    /// <summary>Finds a role whose user places its threads himself, as a sentence that names the flags; null when there is none.</summary>
    public static string? FindProblem(Scenario scenario, ScenarioOptions options) => !options.BindsWorkers ? null
        : (from role in scenario.RolesOf(options)
           from name in Own
           where new RoleArguments(options.ArgumentsOf(role.Name)).IsGiven(name)
           select $"--bind auto cannot be combined with {name} of the {role.Name}").FirstOrDefault();

    /// <summary>Sets the processors of a role with one worker or several of a kind, or only their number.</summary>
    public static RoleArguments SetWorkers(this RoleArguments arguments, RoleContext context, int count) => context.Processors switch
    {
        [] => count == 1 ? arguments : arguments.Set("-threads", count),
        [var one] => arguments.Set("-bindThread", one),
        var several => arguments.Set("-threads", List(several)),
    };

    /// <summary>Formats a list for options.</summary>
    public static string List(IEnumerable<int> processors) => string.Join(',', processors);

    // Of the roles that are started here; none without the option.
    private static IReadOnlyList<(string Role, int Workers)> CountWorkers(Scenario scenario, ScenarioOptions options, ScenarioRanks? ranks) =>
        !options.BindsWorkers ? []
        : [.. scenario.RolesOf(options).Where(role => !options.External.ContainsKey(role.Name) && ranks?.IsHere(role.Name) != false)
            .Select(role => (role.Name, role.CountWorkers(options)))];
}
