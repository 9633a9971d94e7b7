using System.Globalization;
using PerfCommon;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Results.Comparison;

/// <summary>One side of a comparison: a run, or several of one configuration.</summary>
public sealed class RunSet
{
    /// <summary>Prefix of the number of a repeated run, in the name of its folder.</summary>
    public const string RepeatPrefix = "run-";

    private RunSet(string name, string shown, int runs, Conditions conditions, SegmentSums sums) =>
        (Name, Shown, RunCount, Conditions, Sums) = (name, shown, runs, conditions, sums);

    /// <summary>A or B.</summary>
    public string Name { get; }

    /// <summary>Its folder, or its configuration.</summary>
    public string Shown { get; }

    /// <summary>Number of its runs.</summary>
    public int RunCount { get; }

    internal Conditions Conditions { get; }

    /// <summary>Its figures, and the pieces from which their noise is computed.</summary>
    internal SegmentSums Sums { get; }

    /// <summary>Roles whose CPU time is known.</summary>
    public IReadOnlyList<string> Roles { get; private init; } = [];

    /// <summary>Sizes for which there are round trips.</summary>
    public IReadOnlyList<int> Sizes => Sums.Whole.Sizes;

    /// <summary>Maximum error of its runs' latencies due to the difference of both sides' clocks; 0 where they share one clock.</summary>
    internal double ClockBoundMicros { get; private init; }

    /// <summary>The processors of its runs' roles; none where the roles do not report them.</summary>
    internal IReadOnlyList<RunPlacement> Placements { get; private init; } = [];

    /// <summary>The first of its runs, whose roles describe their figures; null for a set that was computed.</summary>
    internal RunDocument? First { get; private init; }

    /// <summary>Why it cannot be compared with anything; null when it can.</summary>
    public string? Problem { get; private init; }

    /// <summary>A human-readable description of the source of the noise.</summary>
    public string NoiseText => SeenText + (Placements.Count > 0 ? "; " + RunPlacement.Describe(Placements) : "");

    private string SeenText => RunCount > 1 ? string.Create(CultureInfo.InvariantCulture, $"{RunCount} runs, noise from their repeats")
        : Sums.Count > 1
            ? string.Create(CultureInfo.InvariantCulture,
                $"1 run, noise from {Sums.Count} parts of it and from what runs usually differ by") : "1 run, too short for its noise";

    /// <summary>Reads the folder of a run, or one with the folders of repeated runs.</summary>
    /// <exception cref="SetupException">There is no run in it (exit code 3).</exception>
    public static RunSet Read(string name, string folder)
    {
        if (!Directory.Exists(folder))
            throw FileErrors.Input(folder, "no such folder");
        string[] folders = RecordedRun.IsIn(folder) ? [folder] : [.. FindRepeats(folder)];
        return folders.Length > 0 ? Of(name, folder, [.. folders.Select(RecordedRun.Read)])
            : throw FileErrors.Input(folder,
                $"neither {RunFile.Name} nor folders {RepeatPrefix}1, {RepeatPrefix}2, ... with one are in it");
    }

    /// <summary>Creates a side from several runs, at least one; its name is empty where there is no other side.</summary>
    public static RunSet Of(string name, string shown, IReadOnlyList<RecordedRun> runs)
    {
        string? problem = runs.Select(run => FindProblem(name, run, runs)).FirstOrDefault(found => found is not null);
        MeasuredSegment[] wholes = [.. runs.Select(RunSegments.ReadWhole).OfType<MeasuredSegment>()];
        SegmentSums sums = wholes.Length == 1 ? new(RunSegments.ReadParts(runs[0]), wholes[0]) : new(wholes);
        return new(name, shown, runs.Count, Conditions.Of(runs[0].Document), sums)
        {
            Problem = problem,
            Roles = sums.Whole.Roles,
            First = runs[0].Document,
            ClockBoundMicros = runs.Max(run => run.Document.Figures?.Clock is { } clock ? clock.BoundMicros ?? double.PositiveInfinity : 0),
            Placements = [.. runs.Select(run => RunPlacement.TryRead(run.Document)).OfType<RunPlacement>()
                .Where(placement => placement.Pairs.Count > 0)],
        };
    }

    /// <summary>Creates a side from known pieces.</summary>
    internal static RunSet Of(
        string name, string shown, int runs, Conditions conditions, SegmentSums sums, string? problem = null, double clockBoundMicros = 0) =>
        new(name, shown, runs, conditions, sums) { Problem = problem, Roles = sums.Whole.Roles, ClockBoundMicros = clockBoundMicros };

    // In the order of their numbers.
    private static IEnumerable<string> FindRepeats(string folder) =>
        from path in Directory.GetDirectories(folder, RepeatPrefix + "*")
        let number = int.TryParse(Path.GetFileName(path)[RepeatPrefix.Length..], NumberStyles.None, CultureInfo.InvariantCulture,
            out int value) ? value : 0
        where number > 0 && RecordedRun.IsIn(path)
        orderby number
        select path;

    private static string? FindProblem(string name, RecordedRun run, IReadOnlyList<RecordedRun> all)
    {
        string which = Path.GetFileName(Path.TrimEndingDirectorySeparator(run.Folder));
        if (name.Length > 0)
            which = all.Count == 1 ? name : $"{which} of {name}";
        if (run.Document is { Verdict: RunVerdict.Failed or RunVerdict.Interrupted } or { Figures: null })
            return $"{which} is {run.Document.Verdict}: {run.Document.Reason}";
        return Conditions.FindDifferences(Conditions.Of(all[0].Document), Conditions.Of(run.Document)) is [var first, ..]
            ? $"{which} is of another configuration than the first: {first}" : null;
    }
}
