using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Merging;
using PerfTools.Results.Recorded;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>What roles that stay up measured in one period, judged as a ramp of one step.</summary>
/// <remarks>What one role sent and another received is compared over the whole run, at its end.</remarks>
/// <param name="roles">The roles that were started, with what they wrote so far.</param>
/// <param name="options">The options of all periods.</param>
internal sealed class StandingUsersReader(IReadOnlyList<UsersRole> roles, UsersOptions options)
{
    private readonly UsersRole[] _users = [.. roles.Where(role => role.Tool == ToolNames.Users)];

    /// <summary>When a period ended; null before all processes with users are done with it.</summary>
    public DateTime? FindEnd(string period) =>
        Array.TrueForAll(_users, role => role.HasPeriod(period)) ? _users[0].ReadPeriod(period).WindowOf(0).To : null;

    /// <summary>Reads a period that is over.</summary>
    /// <param name="variant">What it was asked for: a load with one step.</param>
    /// <param name="period">Its name.</param>
    /// <param name="load">How busy the machine was.</param>
    public RunDocument Read(UsersVariant variant, string period, LoadLog load)
    {
        UsersPart[] parts = [.. _users.Select(role => role.ReadPeriod(period))];
        (DateTime from, DateTime to) = parts[0].WindowOf(0);
        double? foreign = StepLoads.ReadPeriod(load, from, to, [.. roles.Select(role => role.Intervals)]);
        MergedStep step = new StepReader(variant, [foreign]).Read(parts, IntervalsOf(ToolNames.Hub).FirstOrDefault() ?? [], IntervalsOf(ToolNames.Source))[0];
        RampResult result = RampResult.Of(step with { Row = step.Row with { Step = 1 } });
        Verdict verdict = result.Judge(null);
        return new()
        {
            Scenario = variant.Load.Name,
            Verdict = verdict.Result,
            Reason = verdict.Reason,
            ExitCode = (int)verdict.Code,
            StartUtc = from,
            EndUtc = to,
            Inputs = UsersInputs.Of(variant, options),
            Figures = result.ReadFigures(),
            Assertions = [],
            Roles = [.. options.External.Select(role => RoleOutcome.OfExternal(role.Key, role.Value)), .. roles.Select(role => Describe(role, from, to))],
            Links = [],
            Machine = ThisMachine.Description with { ForeignPercent = foreign },
            Steps = result.Steps,
        };
    }

    private IReadOnlyList<RoleInterval>[] IntervalsOf(string tool) => [.. roles.Where(role => role.Tool == tool).Select(role => role.Intervals)];

    private static RoleResult Describe(UsersRole role, DateTime from, DateTime to) => PeriodIntervals.Describe(
        role.Name, role.Tool, role.Files, [.. role.Intervals.Where(one => PeriodIntervals.IsIn(one, from, to))]);
}
