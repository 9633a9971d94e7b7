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

    /// <summary>Those that are read: the one of 0.15 and 0.16 has no figures of the roles.</summary>
    internal static IReadOnlyList<string> ReadFormats { get; } = ["perftools-run-2", CurrentFormat];

    /// <summary>Of the file.</summary>
    public string Format { get; init; } = CurrentFormat;

    /// <summary>The scenario's name.</summary>
    public required string Scenario { get; init; }

    /// <summary>OK, SLOW, MISSED, INTERRUPTED or FAILED.</summary>
    public required string Verdict { get; init; }

    /// <summary>Why it is not OK; null when it is.</summary>
    public required string? Reason { get; init; }

    /// <summary>That of perftools.</summary>
    public required int ExitCode { get; init; }

    /// <summary>When the first role was started.</summary>
    public required DateTime StartUtc { get; init; }

    /// <summary>When the last role had ended.</summary>
    public required DateTime EndUtc { get; init; }

    /// <summary>What was asked for, name by name.</summary>
    public required IReadOnlyDictionary<string, JsonElement> Inputs { get; init; }

    /// <summary>Null when a role left no final figures.</summary>
    public required RunFigures? Figures { get; init; }

    /// <summary>The result of each threshold that was asked for, in that order.</summary>
    public required IReadOnlyList<AssertionResult> Assertions { get; init; }

    /// <summary>The roles that were started or found, in the order of the scenario.</summary>
    public required IReadOnlyList<RoleResult> Roles { get; init; }

    /// <summary>The account of each link, the measured one first.</summary>
    public required IReadOnlyList<LinkResult> Links { get; init; }

    /// <summary>Where the run took place.</summary>
    public required MachineDescription Machine { get; init; }

    /// <summary>On which processors the roles ran, and who shared one; absent where none says so.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Placement => RunPlacement.TryRead(this)?.Text;

    /// <summary>The processes of several machines that made it together; absent where it is of one.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RankDescription>? Ranks { get; init; }

    /// <summary>The steps of a ramp of users; absent for every other run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<StepRow>? Steps { get; init; }

    /// <summary>What the ramp held; absent where its first step is not well, and for every other run.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public RampCapacity? Capacity { get; init; }

    /// <summary>What was set while it went on, and marks; absent where nothing was.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<RunChange>? Changes { get; init; }

    /// <summary>What no run can have left, as the end of a sentence; null where there is nothing.</summary>
    internal string? FindProblem()
    {
        (string Name, IEnumerable<object?>? List)[] lists = [("assertions", Assertions), ("roles", Roles), ("links", Links), ("ranks", Ranks),
            ("changes", Changes), ("steps", Steps), ("roles.figures", Roles.SelectMany(role => role?.Figures ?? [])), ("figures.rateSteps", Figures?.RateSteps), ("figures.roundTrips", Figures?.RoundTrips)];
        if (Array.Find(lists, list => list.List?.Contains(null) == true).Name is { } spoilt)
            return $"{spoilt} has an entry that is nothing";
        if (Roles.Where(role => role.Files is not null).GroupBy(role => role.Name).FirstOrDefault(same => same.Count() > 1) is { } twice)
            return $"two roles are called {PrintableText.From(twice.Key)}";
        DateTime[] times = [StartUtc, EndUtc, .. (Ranks ?? []).Select(rank => rank.Utc), .. (Changes ?? []).Select(change => change.Utc),
            .. (Steps ?? []).Select(step => step.Utc), .. (Figures?.RateSteps ?? []).Select(step => step.Utc).OfType<DateTime>()];
        return times.All(ResultTime.CanBe) ? null : "a time is in no year from 1970 to 2199";
    }

    /// <summary>The verdict, and whether the run is another than was asked for.</summary>
    [JsonIgnore]
    public string ShownVerdict => Changes?.Any(change => change.IsOfLoad) == true ? $"{Verdict} (changed by hand)" : Verdict;
}
