using System.Text.Json;
using PerfCommon;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.History;

namespace PerfTools.Sizing;

/// <summary>Runs of one scenario that differ only in their load, and the resources of their roles.</summary>
internal sealed record SizedGroup
{
    /// <summary>The scenario's name.</summary>
    public required string Scenario { get; init; }

    /// <summary>The kind of its messages.</summary>
    public required string What { get; init; }

    /// <summary>The inputs that its runs have in common, by name.</summary>
    public required IReadOnlyDictionary<string, string> Inputs { get; init; }

    public required IReadOnlyList<SizedRole> Roles { get; init; }

    /// <summary>The number of runs; a ramp of users is one for each step.</summary>
    public required int Runs { get; init; }

    /// <summary>The maximum of images per second over the runs; null where none were retrieved.</summary>
    public required double? ImagesPerSecond { get; init; }

    /// <summary>Updates per second of one user; 0 where there are no users.</summary>
    public double UserRate { get; init; }

    /// <summary>Subscriptions of one user, of the last measurement.</summary>
    public double WatchersPerUser { get; init; }

    public required MachineDescription Machine { get; init; }

    /// <summary>True for ramps of users.</summary>
    public bool IsOfUsers { get; init; }
}

/// <summary>Reads a folder of runs for a size: the usable runs, by scenario and inputs, and the reasons against the others.</summary>
internal static class SizedRuns
{
    private const string Users = "users";
    private const string Images = "refreshes";
    private const string BytesSent = "counts.bytesSent";
    private const string KilobytesPerItem = "kilobytesPerItem";

    // The load itself, and inputs that do not change its cost.
    private static readonly string[] LoadInputs =
        ["rate", "items", "seconds", "latencyRate", "stamp", "domain", "steps", "until", "variant", "parameters", "runId", "save",
        "place", "rank"];

    /// <summary>Reads the folder.</summary>
    /// <param name="folder">The folder; it is searched for runs with all folders below.</param>
    /// <param name="leftOut">Receives why a run does not count, a line each.</param>
    /// <exception cref="SetupException">The folder cannot be read (exit code 3).</exception>
    public static IReadOnlyList<SizedGroup> Read(string folder, ICollection<string> leftOut)
    {
        List<RunDocument> runs = [];
        foreach ((string name, RunDocument run) in RunFolders.Read(folder, path => RunFile.Read(Path.Combine(path, RunFile.Name)), leftOut))
        {
            if (FindProblem(run) is { } problem)
                leftOut.Add($"{name}: {problem}");
            else
                runs.Add(run);
        }

        return [.. runs.GroupBy(KeyOf).Select(group => Create([.. group]))];
    }

    // A run at its limit waits and drops: its resources do not show the cost of a message.
    private static string? FindProblem(RunDocument run) => run switch
    {
        { Verdict: RunVerdict.Failed or RunVerdict.Interrupted } => run.Verdict,
        _ when run.Changes?.Any(change => change.IsOfLoad) == true => "the load was changed by hand",
        { Machine.ForeignPercent: > 100 * MachineDescription.MaxForeignShare } => "machine busy with other programs",
        { Steps: { } steps } => steps.Any(step => step.IsOk) ? null : "no step is well",
        { Figures: null } or { Links: [] } => "no figures",
        { Figures.RoundTrips: not null } => "round trips, no rate",
        { Figures.RateAsked: null } => "the rate changes, or is not ours",
        { Figures: { RateAsked: { } asked } figures } when !RateStep.IsRateKept(figures.RateReached, asked) => "the rate was not reached",
        _ => null,
    };

    private static IEnumerable<(string Name, string Text)> Describe(RunDocument run) =>
        run.Inputs.Where(input => !LoadInputs.Contains(input.Key)).SelectMany(input => FlatFacts.Of(input.Key, input.Value))
            .Append(("machine", $"{run.Machine.MachineModel} {run.Machine.ProcessorModel} {run.Machine.Processors}".Trim()));

    private static string KeyOf(RunDocument run) =>
        $"{(run.Steps is null ? run.Scenario : Users)}\n{string.Join('\n', Describe(run).Order().Select(fact => $"{fact.Name}={fact.Text}"))}";

    private static SizedGroup Create(IReadOnlyList<RunDocument> runs) => runs[^1] is { Steps: not null } ? CreateOfUsers(runs) : new()
    {
        Scenario = runs[^1].Scenario,
        What = runs[^1].Links[0].What,
        Inputs = Describe(runs[^1]).DistinctBy(fact => fact.Name).ToDictionary(),
        Roles =
        [
            .. from name in runs[^1].Roles.Select(role => role.Name).Distinct()
               let points = runs.SelectMany(run => PointsOf(run, name)).ToArray()
               where points.Length > 0 // an external role has no figures
               select new SizedRole(name, points),
        ],
        Runs = runs.Count,
        ImagesPerSecond = runs.Max(run => run.Figures!.Images is { Seconds: > 0 } images ? images.Count / images.Seconds : (double?)null),
        Machine = runs[^1].Machine,
    };

    private static IEnumerable<SizedPoint> PointsOf(RunDocument run, string name)
    {
        if (run.Roles.FirstOrDefault(role => role.Name == name) is not { CpuCorePercent: { } cpu } role)
            yield break;
        double? Figure(string figure) => role.Figures.FirstOrDefault(one => one.Name == figure)?.Value;
        double Sent(Func<LinkResult, bool> isMeant) => run.Links.Where(link => link.From == name && isMeant(link)).Sum(link => link.Sent ?? 0);
        yield return new(run.Figures!.RateReached, ItemsOf(run), 0, 0)
        {
            CpuPercent = cpu,
            Megabytes = role.MemoryMegabytes,
            Traffic = Figure(BytesSent) is { } bytes ? new(Sent(link => link.What == run.Links[0].What), Sent(link => link.What == Images), bytes) : null,
            KilobytesPerItem = Figure(KilobytesPerItem),
        };
    }

    private static double ItemsOf(RunDocument run) =>
        run.Inputs.TryGetValue("items", out JsonElement items) && items.ValueKind == JsonValueKind.Number ? items.GetDouble() : 0;

    // The hub of each step without faults: the programs that simulate users are not sized.
    private static SizedGroup CreateOfUsers(IReadOnlyList<RunDocument> runs)
    {
        (RunDocument Run, StepRow Step)[] steps =
            [.. runs.SelectMany(run => run.Steps!.Where(step => step.IsOk && step.Hub.CpuPercent is not null).Select(step => (run, step)))];
        SizedPoint[] points = [.. steps.Select(one => PointOf(one.Run, one.Step))];
        (_, StepRow last) = steps.Length > 0 ? steps[^1] : (runs[^1], runs[^1].Steps![^1]);
        return new()
        {
            Scenario = Users,
            IsOfUsers = true,
            What = "updates",
            Inputs = Describe(runs[^1]).DistinctBy(fact => fact.Name).ToDictionary(),
            Roles = points.Length > 0 ? [new SizedRole(RoleNames.Hub, points)] : [],
            Runs = points.Length,
            ImagesPerSecond = null,
            Machine = runs[^1].Machine,
            UserRate = last.UsersIn > 0 ? last.Received / last.Seconds / last.UsersIn : 0,
            WatchersPerUser = Parameter(runs[^1], "subscriptions"),
        };
    }

    private static SizedPoint PointOf(RunDocument run, StepRow step) => new(
        step.Hub.Delivered / step.Seconds, Parameter(run, "subjects"), step.UsersIn, step.UsersIn * Parameter(run, "subscriptions"))
    {
        CpuPercent = step.Hub.CpuPercent!.Value,
        Megabytes = step.Hub.MemoryMegabytes,
        Traffic = step.Hub.BytesOut > 0 ? new(step.Hub.Delivered, 0, step.Hub.BytesOut) : null,
    };

    private static double Parameter(RunDocument run, string name) =>
        run.Inputs.TryGetValue("parameters", out JsonElement parameters) && new JsonView(parameters).Text(name) is { } text
            && double.TryParse(text, System.Globalization.CultureInfo.InvariantCulture, out double value) ? value : 0;
}
