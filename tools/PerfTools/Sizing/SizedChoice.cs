using PerfCommon;
using PerfTools.Results.Documents;

namespace PerfTools.Sizing;

/// <summary>Chooses the measured runs from which a size is computed.</summary>
internal static class SizedChoice
{
    /// <summary>
    /// Chooses the runs whose roles are sized: with users those of a hub, or the hub of the users' own runs where there are no others.
    /// </summary>
    /// <param name="folder">The folder of the runs, for the error.</param>
    /// <param name="groups">All groups.</param>
    /// <param name="options">The options.</param>
    /// <exception cref="SetupException">None fits (exit code 3), or several do (exit code 2).</exception>
    public static SizedGroup ChooseRuns(string folder, IReadOnlyList<SizedGroup> groups, SizeOptions options)
    {
        SizedGroup[] fitting = [.. groups.Where(one => !one.IsOfUsers && one.Roles.Count > 0 && Fits(one, options))];
        if (options.Users is not null)
        {
            fitting = [.. fitting.Where(one => one.Roles.Any(role => role.Name == RoleNames.Hub))];
            if (fitting.Length == 0 && options.Scenario is null)
                return ChooseUsers(folder, groups, options);
        }

        return fitting switch
        {
            [var one] => one,
            [] when groups.Count == 0 => throw FileErrors.Input(folder, "no run that tells what a message costs"),
            [] => throw FileErrors.Input(folder, $"no run{(options.Users is null ? "" : " with a hub")} has this --scenario and these --with"),
            _ when fitting.DistinctBy(one => one.Scenario).Count() > 1 =>
                throw Refuse($"--scenario: runs of {List(fitting.Select(one => one.Scenario))} are there; name one"),
            _ => throw Refuse($"--with: runs differ in {FindDifference(fitting)}; name one"),
        };
    }

    /// <summary>Chooses the ramps of users.</summary>
    /// <inheritdoc cref="ChooseRuns"/>
    public static SizedGroup ChooseUsers(string folder, IReadOnlyList<SizedGroup> groups, SizeOptions options)
    {
        SizedGroup[] ramps = [.. groups.Where(one => one.IsOfUsers && one.Roles.Count > 0)];
        if (ramps.Length > 1)
            ramps = [.. ramps.Where(one => Fits(one, options with { Scenario = null }))];
        return ramps switch
        {
            [var one] => one,
            [] => throw FileErrors.Input(folder, "no run of users whose hub was measured; make one by: perftools run users-low"),
            _ => throw Refuse($"--with: runs of users differ in {FindDifference(ramps)}; name one"),
        };
    }

    private static bool Fits(SizedGroup one, SizeOptions options) => (options.Scenario is null || one.Scenario == options.Scenario)
        && options.With.All(input => one.Inputs.GetValueOrDefault(input.Key) == input.Value);

    private static string FindDifference(IReadOnlyList<SizedGroup> groups)
    {
        string? name = groups.SelectMany(one => one.Inputs.Keys).Distinct()
            .FirstOrDefault(name => groups.DistinctBy(one => one.Inputs.GetValueOrDefault(name)).Count() > 1);
        return name is null ? "what they have of it" : $"{name} ({List(groups.Select(one => one.Inputs.GetValueOrDefault(name) ?? "none"))})";
    }

    private static string List(IEnumerable<string> words) => string.Join(", ", words.Distinct());

    private static SetupException Refuse(string problem) => new(SetupProblem.CommandLine, problem);
}
