using PerfTools.Editions;
using PerfTools.Hosting.Options;
using PerfTools.Ranks;
using PerfTools.Scenarios;
using PerfTools.Screen;

namespace PerfTools.ScenarioFiles;

/// <summary>A run of one arrangement of roles.</summary>
/// <param name="Name">The name of its entry among the runs of the file; null where it is the only one.</param>
/// <param name="Arrangement">The scenario.</param>
/// <param name="Given">The options.</param>
internal sealed record PlannedScenario(string? Name, Scenario Arrangement, ScenarioOptions Given)
    : PlannedRun<ScenarioOptions>(Name, Arrangement.Options, Given)
{
    /// <inheritdoc/>
    public override string Scenario => Arrangement.Name;

    /// <inheritdoc/>
    public override string? Out => Given.Out;

    /// <inheritdoc/>
    public override ResultOutputs Outputs => Given.Outputs;

    /// <inheritdoc/>
    public override RankOptions Ranks => Given.Ranks;

    /// <inheritdoc/>
    public override IReadOnlyList<Threshold> Thresholds => Given.Thresholds;

    /// <inheritdoc/>
    public override IReadOnlyList<string> RoleNames => [.. Arrangement.Roles.Select(role => role.Name)];

    /// <inheritdoc/>
    public override IReadOnlyList<string> RoleMembers => FileNames.OfRole;

    /// <inheritdoc/>
    public override IReadOnlyList<PlannedRole> Roles =>
    [
        .. from role in RoleNames
           where Given.Arguments.Has(role) || Given.External.ContainsKey(role) || Given.Editions.Tools.ContainsKey(role)
           select new PlannedRole(role, Given.External.GetValueOrDefault(role))
           {
               Arguments = Given.Arguments.Has(role) ? Given.Arguments.Of(role) : null,
               Tool = Given.Editions.Tools.GetValueOrDefault(role),
               Edition = Given.Editions.Editions.TryGetValue(role, out Edition edition) ? edition : null,
           },
    ];

    /// <inheritdoc/>
    protected override IReadOnlyList<string?> ShortForms => ShortFormsOf(Arrangement);

    /// <summary>The options of a scenario for which a file has the member of a role.</summary>
    public static IReadOnlyList<string?> ShortFormsOf(Scenario scenario) => [.. scenario.Roles.Select(role => role.ShortOption)];

    /// <inheritdoc/>
    public override PlannedRun? WithRole(FileProblems problems, string role, JsonMember member) =>
        new FileRole(problems, role).Apply(Given, member) is { } options ? this with { Given = options } : null;
}
