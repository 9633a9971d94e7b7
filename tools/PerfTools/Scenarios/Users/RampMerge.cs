using System.Globalization;
using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Merging;
using PerfTools.Verdicts;

namespace PerfTools.Scenarios.Users;

/// <summary>A ramp merged from its parts: the ranks of a run, or the results of single programs on several machines.</summary>
/// <remarks>
/// No figure is computed from other figures: histograms are added cell by cell, sums and counts as whole numbers, and the whole is judged like
/// that of one process.
/// </remarks>
internal sealed class RampMerge
{
    private readonly IReadOnlyList<RampPart> _parts;
    private readonly RunDocument? _first;
    private readonly IReadOnlyList<UsersRole> _roles;

    private RampMerge(IReadOnlyList<RampPart> parts)
    {
        _parts = parts;
        _first = parts.Select(part => part.Document).FirstOrDefault(document => document is not null);
        _roles = [.. parts.SelectMany(part => part.Roles)];
        Variant = FindVariant();
        string? missing = FindMissing();
        Result = RampResult.Read(Variant, FindUntil(), _roles, StepLoads.Merge(parts.SelectMany(part => part.Loads)), isWhole: missing is null);
        Verdict = Result.Judge(FindFailure(missing ?? FindMissingUsers()));
    }

    /// <summary>The ramp.</summary>
    public UsersVariant Variant { get; }

    public RampResult Result { get; }

    public Verdict Verdict { get; }

    /// <summary>Reads the parts.</summary>
    /// <param name="folders">The folders of the parts.</param>
    /// <exception cref="SetupException">A folder cannot be used, or the parts belong to different runs (exit code 3).</exception>
    public static RampMerge Read(IReadOnlyList<string> folders)
    {
        RampPart[] parts = [.. folders.Select(RampPart.Read)];
        if (FindDifference(parts) is { } difference)
            throw difference;
        return new RampMerge(parts);
    }

    /// <summary>Creates the run.json of the whole.</summary>
    /// <param name="into">Its folder; the files of roles are named relative to it.</param>
    public RunDocument CreateDocument(RunFolder into)
    {
        RunDocument[] documents = [.. _parts.Select(part => part.Document).OfType<RunDocument>()];
        RunDocument? hub = Array.Find(documents, document => document.Roles.Any(role => role.Tool == ToolNames.Hub));
        return new RunDocument
        {
            Scenario = Variant.Load.Name,
            Verdict = Verdict.Result,
            Reason = Verdict.Reason,
            ExitCode = (int)Verdict.Code,
            StartUtc = documents.Length > 0
                ? documents.Min(document => document.StartUtc)
                : Result.Steps.Select(step => step.Utc).DefaultIfEmpty(DateTime.UnixEpoch).First(),
            EndUtc = documents.Length > 0
                ? documents.Max(document => document.EndUtc)
                : Result.Steps.Select(step => step.Utc.AddSeconds(step.Seconds)).DefaultIfEmpty(DateTime.UnixEpoch).Last(),
            Inputs = (hub ?? _first) is not { } described
                ? NoInputs : described.Inputs.Where(input => input.Key != "rank").ToDictionary(input => input.Key, input => input.Value),
            Figures = Result.ReadFigures(),
            Steps = Result.Steps,
            Capacity = Result.Capacity,
            Assertions = [],
            Roles = [.. _parts.SelectMany((part, i) => DescribeRoles(part, new(part, i + 1, into)))],
            Links = Result.Links,
            Machine = (hub ?? _first)?.Machine ?? ThisMachine.Description,
            Changes = documents.SelectMany(document =>
                document.Changes ?? []).OrderBy(change => change.Utc).ToArray() is { Length: > 0 } changes
                ? changes : null,
            Ranks = documents.SelectMany(document => document.Ranks ?? []).OrderBy(rank => rank.Rank).ToArray() is { Length: > 0 } ranks
                ? ranks : null,
            Clocks = documents.SelectMany(document => document.Clocks ?? []).OrderBy(clock => clock.Rank).ToArray() is { Length: > 0 } clocks
                ? clocks : null,
        };
    }

    /// <summary>Writes the samples of each step, of all measuring and of all checking processes.</summary>
    /// <returns>Why one could not be written; null when all were written.</returns>
    public string? TryWriteHistograms(RunFolder into) =>
        TryWriteHistograms(into.PathOf("merged-steps.hlog"), step => step.Measured)
            ?? TryWriteHistograms(into.PathOf("merged-check-steps.hlog"), step => step.Checked);

    private static Dictionary<string, JsonElement> NoInputs => InputJson.Of(new Dictionary<string, object?>
    {
        ["rate"] = 0,
        ["latencyRate"] = "all",
        ["stamp"] = "sent",
        ["seconds"] = 0,
        ["pack"] = 1,
        ["connection"] = "socket",
        ["compression"] = "none",
        ["arguments"] = new Dictionary<string, string>(),
        ["external"] = new Dictionary<string, string>(),
    });

    private string? TryWriteHistograms(string path, Func<MergedStep, LongHistogram?> read)
    {
        if (!Result.Merged.Any(step => read(step) is not null))
            return null;
        return WholeFile.TryWrite(path, writer =>
        {
            HistogramLogWriter.WriteHeader(writer, Millis(Result.Steps[0].Utc), LatencyUnit.Microseconds);
            foreach (MergedStep step in Result.Merged)
            {
                HistogramLogWriter.WriteInterval(
                    writer, Millis(step.Row.Utc), Millis(step.Row.Utc.AddSeconds(step.Row.Seconds)),
                    read(step) ?? LongHistogram.CreateForTimes(LatencyUnit.Microseconds));
            }
        });
    }

    private static IEnumerable<RoleResult> DescribeRoles(RampPart part, PartCopy files)
    {
        return part.Document is { } document
            ? document.Roles.Select(role => role with { Files = role.Files is null ? null : files.Of(role.Files) })
            : part.Roles.Select(role => new RoleResult
            {
                Name = role.Name,
                Tool = role.Tool,
                Command = "",
                ExitCode = (int?)new JsonView(role.Final).Number("exitCode"),
                CpuCorePercent = new JsonView(role.Final).Number("resources.steady.coreCpuPercent"),
                MemoryMegabytes = new JsonView(role.Final).Number("resources.memoryMegabytes.max"),
                Files = files.Of(role.Files),
                Figures = RoleFigure.ReadAll(role.Final),
                Final = RoleFigure.WithoutCatalogue(role.Final),
            });
    }

    private string? FindUntil() => _parts.FirstOrDefault(part => part.Input("until") is not null) is not { } ended ? null
        : Threshold.TryParseList(ended.Input("until")!, Threshold.Metrics) is not null ? ended.Input("until")
        : throw FileErrors.Input(ended.Folder, $"inputs.until is \"{PrintableText.From(ended.Input("until")!)}\", which is no threshold");

    private UsersVariant FindVariant()
    {
        StepList steps = StepList.TryParse(_parts.Select(part => part.Input("steps")).FirstOrDefault(text => text is not null)
            ?? string.Join(',', FindTotals())) ?? StepList.TryParse("1")!;
        UsersLoad load = UsersLoad.Of(_first?.Scenario ?? "users");
        UsersParameters parameters = load.Base;
        foreach (JsonProperty parameter in _first is not null && _first.Inputs.TryGetValue("parameters", out JsonElement all)
            && all.ValueKind == JsonValueKind.Object ? all.EnumerateObject() : default)
        {
            parameters = parameters.TrySet($"{parameter.Name}={parameter.Value}", out _) ?? parameters;
        }

        return new(load, _parts.Select(part => part.Input("variant")).FirstOrDefault(name => name is not null) ?? "base", parameters,
            steps);
    }

    private IEnumerable<long> FindTotals() =>
        _roles.Select(role =>
            role.ReadPart(withSamples: false).Periods).MaxBy(periods => periods.Count)?.Select(period => period.Count("users")) ?? [];

    // The ranks without a folder.
    private string? FindMissing()
    {
        string[] ranks = [.. _parts.Select(part => part.Rank).OfType<string>()];
        if (ranks is [] || !RankIdentity.TryParse(ranks[0], out _, out int count))
            return null;
        IEnumerable<int> there = ranks.Select(rank => RankIdentity.TryParse(rank, out int number, out _) ? number : -1);
        int[] missing = [.. Enumerable.Range(0, count).Except(there)];
        return missing is []
            ? null : Rendezvous.DescribeRanks(missing, string.Create(CultureInfo.InvariantCulture, $"of {count} left no results"));
    }

    // The parts of the users without a file.
    private string? FindMissingUsers()
    {
        JsonView[] first =
            [.. _roles.Where(role =>
                role.Tool == ToolNames.Users).Select(role =>
                role.ReadPart(withSamples: false).Periods).Where(periods => periods.Count > 0).Select(periods => periods[0])];
        long asked = first.Sum(period => period.Count("asked"));
        return first is [] || asked == first[0].Count("users") ? null
            : string.Create(CultureInfo.InvariantCulture,
                $"the parts that are there had {asked:N0} of the {first[0].Count("users"):N0} users of step 1");
    }

    // The rank that failed by itself is named before those that it ended.
    private RunFailure? FindFailure(string? missing)
    {
        RampPart? failed = _parts.Where(part => part.Document is { Verdict: RunVerdict.Failed or RunVerdict.Interrupted })
            .MinBy(part => part.Document!.Reason?.StartsWith(Rendezvous.EndedBy, StringComparison.Ordinal));
        if (failed is null)
            return missing is null ? null : new(ExitCode.Incomplete, missing);
        string reason = $"{(failed.Rank is { } rank ? $"rank {rank.Split('/')[0]}" : failed.Folder)}: {failed.Document!.Reason}";
        return new(((ExitCode)failed.Document.ExitCode).OrDefect(), missing is null ? reason : $"{reason}; {missing}");
    }

    private static SetupException? FindDifference(RampPart[] parts)
    {
        foreach (RampPart part in parts)
        {
            RampPart first = Array.Find(parts, other => (other.Document is null) == (part.Document is null))!;
            if (Describe(part) is var own && Describe(first) is var others && own != others)
                return FileErrors.Input(part.Folder, $"of another ramp than {first.Folder}: {own}, {others}");
        }

        string?[] ranks = [.. parts.Select(part => part.Rank).Where(rank => rank is not null)];
        if (ranks.Distinct().Count() < ranks.Length)
        {
            return FileErrors.Input(parts[^1].Folder,
                $"rank {ranks.First(rank => ranks.Count(other => other == rank) > 1)} is there twice");
        }

        (RampPart Part, long Step, string Begin)[] periods =
            [.. from part in parts
                from role in part.Roles
                from period in role.ReadPart(withSamples: false).Periods
                select (part, period.Count("step"), Describe(period, role.ClockShift))];
        Dictionary<long, string> begins = [];
        foreach ((_, long step, string begin) in periods)
            begins.TryAdd(step, begin);
        (RampPart Part, long Step, string Begin) odd = Array.Find(periods, one => one.Begin != begins[one.Step]);
        return odd.Part is null ? null : FileErrors.Input(odd.Part.Folder, $"of another ramp: step {odd.Step} began with {odd.Begin}");
    }

    private static string Describe(RampPart part) => part.Document is not { } document ? ""
        : $"{part.Input("runId")} {document.Scenario} {part.Input("variant")} {part.Input("steps")} "
        + $"{(document.Inputs.TryGetValue("parameters", out JsonElement all) ? all.GetRawText().Replace("\n", "", StringComparison.Ordinal) : "")}";

    private static string Describe(JsonView period, TimeSpan shift)
    {
        string? utc = shift == TimeSpan.Zero || !ResultTime.TryRead(period.Text("utc"), out DateTime at) ? period.Text("utc")
            : (at - shift).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        return $"{period.Count("users")} users at {utc} for {period.Count("seconds")} s";
    }

    private static long Millis(DateTime utc) => new DateTimeOffset(utc).ToUnixTimeMilliseconds();
}
