using System.Text.Json;
using System.Text.Json.Serialization;
using PerfCommon;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The content of <c>run.json</c>: its members are the file's, in their order (docs/run-json.md).</summary>
public sealed record RunDocument
{
    /// <summary>The format that is written.</summary>
    public const string CurrentFormat = "perftools-run-3";

    /// <summary>The formats that are read: the one of 0.15 and 0.16 has no figures of the roles.</summary>
    internal static IReadOnlyList<string> ReadFormats { get; } = ["perftools-run-2", CurrentFormat];

    /// <summary>Format of the file.</summary>
    public string Format { get; init; } = CurrentFormat;

    /// <summary>The scenario's name.</summary>
    public required string Scenario { get; init; }

    /// <summary>OK, SLOW, MISSED, INTERRUPTED or FAILED.</summary>
    public required string Verdict { get; init; }

    /// <summary>Why it is not OK; null when it is.</summary>
    public required string? Reason { get; init; }

    /// <summary>Exit code of perftools.</summary>
    public required int ExitCode { get; init; }

    /// <summary>When the first role was started.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>When the last role had ended.</summary>
    public required DateTime EndUtc { get; init; }

    /// <summary>The inputs of the run, by name.</summary>
    public required IReadOnlyDictionary<string, JsonElement> Inputs { get; init; }

    /// <summary>The figures of the run; null when a role left no final figures.</summary>
    public required RunFigures? Figures { get; init; }

    /// <summary>The result of each requested threshold, in their order.</summary>
    public required IReadOnlyList<AssertionResult> Assertions { get; init; }

    /// <summary>The roles that were started or found, in the order of the scenario.</summary>
    public required IReadOnlyList<RoleResult> Roles { get; init; }

    /// <summary>The account of each link, the measured one first.</summary>
    public required IReadOnlyList<LinkResult> Links { get; init; }

    /// <summary>
    /// The account of each of several providers with its consumers, parts of <see cref="Links"/>; absent where consumers have one provider.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<LinkResult>? Pairs { get; init; }

    /// <summary>The machine of the run.</summary>
    public required MachineDescription Machine { get; init; }

    /// <summary>The processors on which the roles ran, and the roles that shared one; absent where no role reports them.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Placement => RunPlacement.TryRead(this)?.Text;

    /// <summary>The connections of the roles to other hosts; absent where there are none, or the system does not report them.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<HostPath>? Network => HostPath.TryRead(this);

    /// <summary>The processes of several machines that made the run together; absent for a run of one process.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RankDescription>? Ranks { get; init; }

    /// <summary>The wall clocks of those machines, by which the rows of their intervals are put in one order; absent for a run of one process.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RankClock>? Clocks { get; init; }

    /// <summary>
    /// How far those clocks are apart, as it was measured and as NTP or PTP states it; absent for a run of one process, and where neither is known.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<ClockCheck>? ClockChecks { get; init; }

    /// <summary>The steps of a ramp of users; absent for every other run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<StepRow>? Steps { get; init; }

    /// <summary>The capacity that the ramp found; absent where its first step is faulty, and for every other run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RampCapacity? Capacity { get; init; }

    /// <summary>Settings changed during the run, and marks; absent where there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RunChange>? Changes { get; init; }

    /// <summary>Finds values that no run can have written, as the end of a sentence; null where there are none.</summary>
    internal string? FindProblem()
    {
        (string Name, IEnumerable<object?>? List)[] lists =
            [("assertions", Assertions), ("roles", Roles), ("links", Links), ("pairs", Pairs), ("ranks", Ranks), ("clocks", Clocks),
            ("clockChecks", ClockChecks),
            ("changes", Changes), ("steps", Steps), ("roles.figures", Roles.SelectMany(role => role?.Figures ?? [])),
                ("figures.rateSteps", Figures?.RateSteps), ("figures.roundTrips", Figures?.RoundTrips)];
        if (Array.Find(lists, list => list.List?.Contains(null) == true).Name is { } spoilt)
            return $"{spoilt} has an entry that is nothing";
        if (Roles.Where(role => role.Files is not null || role.CpuCorePercent is not null).GroupBy(role => role.Name)
            .FirstOrDefault(same => same.Count() > 1) is { } twice)
        {
            return $"two roles are called {PrintableText.From(twice.Key)}";
        }

        if (Figures?.RoundTrips?.GroupBy(size => size.Bytes).FirstOrDefault(same => same.Count() > 1) is { } equal)
            return FormattableString.Invariant($"figures.roundTrips has {equal.Key} bytes twice");
        if (Clocks?.All(clock => clock.IsPossible) == false)
            return "clocks has an offset that no clock has";
        DateTime[] times = [StartUtc, EndUtc, .. (Ranks ?? []).Select(rank => rank.Utc), .. (Changes ?? []).Select(change => change.Utc),
            .. (Steps ?? []).Select(step => step.Utc), .. (Figures?.RateSteps ?? []).Select(step => step.Utc).OfType<DateTime>()];
        return times.All(ResultTime.CanBe) ? null : "a time is in no year from 1970 to 2199";
    }

    /// <summary>The verdict, with a mark when the load of the run was changed.</summary>
    [JsonIgnore]
    public string ShownVerdict => Changes?.Any(change => change.IsOfLoad) == true ? $"{Verdict} (changed by hand)" : Verdict;
}
