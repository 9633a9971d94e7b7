using PerfTools.Hosting.Options;
using PerfTools.Ranks;
using PerfTools.Scenarios.Users;
using PerfTools.Screen;

namespace PerfTools.ScenarioFiles;

/// <summary>A run of loads of users: a ramp of each.</summary>
/// <param name="Name">The name of its entry among the runs of the file; null where it is the only one.</param>
/// <param name="Suite">The loads.</param>
/// <param name="Given">The options.</param>
internal sealed record PlannedRamps(string? Name, UsersSuite Suite, UsersOptions Given) : PlannedRun<UsersOptions>(Name, Suite.Options, Given)
{
    /// <inheritdoc/>
    public override string Scenario => Suite.Name;

    /// <inheritdoc/>
    public override string? Out => Given.Out;

    /// <inheritdoc/>
    public override ResultOutputs Outputs => Given.Outputs;

    /// <inheritdoc/>
    public override RankOptions Ranks => Given.Ranks;

    /// <inheritdoc/>
    public override IReadOnlyList<Threshold> Thresholds => Given.Thresholds;

    /// <inheritdoc/>
    public override IReadOnlyList<string> RoleNames => UsersOptions.Roles;

    /// <inheritdoc/>
    public override IReadOnlyList<string> RoleMembers => [FileNames.Arguments, FileNames.External];

    /// <inheritdoc/>
    public override IReadOnlyList<PlannedRole> Roles =>
        [
            .. from role in RoleNames
               where Given.Arguments.Has(role) || Given.External.ContainsKey(role)
               select new PlannedRole(role, Given.External.GetValueOrDefault(role)) { Arguments = Given.Arguments.Has(role) ? Given.Arguments.Of(role) : null },
        ];

    /// <inheritdoc/>
    public override PlannedRun? WithRole(FileProblems problems, string role, JsonMember member)
    {
        if (member.Name == FileNames.Arguments)
        {
            return new FileRole(problems, role).ReadArguments(member.Value) is { } words
                ? this with { Given = Given with { Arguments = Given.Arguments.With(role, words) } } : null;
        }

        if (role == UsersOptions.UsersRole)
        {
            problems.Add(member.Line, $"{role}: {FileNames.External}: users are always started here");
            return null;
        }

        if (FileRole.ReadAddress(member.Value) is { Port: > 0 } address)
            return this with { Given = Given with { External = Given.External.SetItem(role, address) } };
        problems.Add(member.Value.Line, $"{role}: {FileNames.External}: '{PerfCommon.PrintableText.From(member.Value.Text)}' is not host:port");
        return null;
    }
}
