using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Verdicts;

namespace PerfTools.Search;

/// <summary>Judges a part of a long run, from the collections of its roles in that time, like a run of that part alone.</summary>
/// <remarks>Roles do not collect at the same moments, so sent and received messages are not compared.</remarks>
/// <param name="scenario">The scenario.</param>
/// <param name="options">The options of the part: its rate and thresholds.</param>
/// <param name="folder">The folder of the run.</param>
internal sealed class StandingReader(Scenario scenario, ScenarioOptions options, string folder)
{
    /// <summary>Reads a part of the run.</summary>
    /// <param name="from">Its beginning.</param>
    /// <param name="to">Its end.</param>
    /// <param name="foreignPercent">The CPU use of other programs; null when it is unknown.</param>
    public RunDocument Read(DateTime from, DateTime to, double? foreignPercent)
    {
        Dictionary<string, Part> parts = scenario.RolesOf(options).ToDictionary(role => role.Name, role => ReadPart(role, from, to));
        Dictionary<string, JsonElement> lines =
            parts.Where(part => part.Value.Intervals.Count > 0).ToDictionary(part => part.Key, part => part.Value.Intervals[^1].Line);
        FigureReader reader = new(scenario, options);
        RunFigures? figures = ReadFigures(parts, reader.ReadCopies(lines), reader.ReadReturning(lines));
        LinkResult[] links = [.. scenario.LinksOf(options).Where(link => !link.IsOptional).Select(link => ReadLink(link, parts))];
        RoleResult[] roles = [.. scenario.RolesOf(options).Select(role => Describe(role, parts[role.Name]))];
        IReadOnlyList<ThresholdResult> assertions = new RunAssertions(figures, links, roles).Compare(options.Thresholds);
        SlowCause cause = reader.ReadCause(lines, foreignPercent);
        Verdict verdict = Verdict.Of(null, figures, links, cause).With(assertions);
        return new()
        {
            Scenario = scenario.Name,
            Verdict = verdict.Result,
            Reason = verdict.Reason,
            ExitCode = (int)verdict.Code,
            StartUtc = from,
            EndUtc = to,
            Inputs = scenario.DescribeInputs(options),
            Figures = figures,
            Assertions = [.. assertions.Select(RunAssertions.Describe)],
            Roles = roles,
            Links = links,
            Machine = ThisMachine.Description with { ForeignPercent = foreignPercent },
        };
    }

    // The collections whose middle is in the part.
    private Part ReadPart(Role role, DateTime from, DateTime to)
    {
        RecordedRole recorded = new(folder, Describe(role, new([], [])));
        int[] inside = [.. Enumerable.Range(0, recorded.Intervals.Count).Where(i => PeriodIntervals.IsIn(recorded.Intervals[i], from, to))];
        string? path = role.Name == scenario.Figures.Measured.Sender ? scenario.Figures.Measured.SendLag
            : scenario.Figures.Measured.MeasuredBy.Contains(role.Name) ? scenario.Figures.Measured.IntervalLatency : null;
        return new([.. inside.Select(i => recorded.Intervals[i])],
            path is null ? []
                : [.. recorded.ReadIntervals(SeriesNames.Of(path)!).Index().Where(one => inside.Contains(one.Index)).Select(one => one.Item.Copy())]);
    }

    private RunFigures? ReadFigures(Dictionary<string, Part> parts, double copies, double returning)
    {
        MeasuredPaths paths = scenario.Figures.Measured;
        Part[] measuring = [.. paths.MeasuredBy.Select(role => parts[role])];
        if (measuring.Any(part => part.Intervals.Count == 0))
            return null;
        int connections = RoleArgumentRules.CountConnections(scenario.Figures.ConnectedBy ?? paths.MeasuredBy[0], options);
        return new()
        {
            RateAsked = (options.Rate * copies * connections) + returning,
            RateReached = measuring.Sum(part => part.Mean(paths.IntervalRate) ?? 0),
            SteadySeconds = measuring[0].Seconds,
            LatencyMicros = measuring.Select(part => part.Latency(paths.IntervalLatency)).MaxBy(latency => latency?.P99 ?? latency?.Max),
            SendLagMicros = parts[paths.Sender].Latency(paths.SendLag),
            Images = null,
        };
    }

    private static LinkResult ReadLink(Link link, Dictionary<string, Part> parts) => new()
    {
        From = link.From,
        To = link.To,
        What = link.What,
        Sent = parts[link.From].Sum(link.Sent),
        Received = parts[link.To].Sum(link.Received),
        Lost = parts[link.To].Sum(link.Lost),
        Unwatched = parts[link.To].Sum(link.Unwatched),
        NotSent = parts[link.From].Sum(link.NotSent),
        Comparable = false,
    };

    private static RoleResult Describe(Role role, Part part) =>
        PeriodIntervals.Describe(role.Name, role.Tool, role.Files, part.Intervals, part.AddPlacement());

    // The collections of one role, and the samples of each.
    private sealed record Part(IReadOnlyList<RoleInterval> Intervals, IReadOnlyList<LongHistogram> Samples)
    {
        public double Seconds => Intervals.Sum(interval => interval.Seconds);

        public double? Mean(string path) => PeriodIntervals.Mean(Intervals, path);

        public long Sum(IReadOnlyList<string> counters) => Intervals.Sum(interval => counters.Sum(interval.View.Count));

        public RunLatency? Latency(string path) => RunLatency.Add(
            [.. Intervals.Select(interval => interval.View.Latency(path)).OfType<RunLatency>()], HistogramMerging.Merge(Samples));

        // In the form of a final line.
        public JsonElement AddPlacement()
        {
            IEnumerable<string> processors = Intervals
                .SelectMany(interval => interval.View.Parts("overall.placement.processors")
                    .Select(one => (Processor: one.Count("processor"), Part: (one.Number("percent") ?? 0) * interval.Seconds / Seconds)))
                .GroupBy(one => one.Processor)
                .Select(same => string.Create(CultureInfo.InvariantCulture, $$"""{"processor":{{same.Key}},"percent":{{same.Sum(one => one.Part):F3}}}"""));
            long changes = Sum(["overall.placement.changes"]);
            return JsonElement.Parse(string.Create(CultureInfo.InvariantCulture,
                $"{{\"overall\":{{\"placement\":{{\"processors\":[{string.Join(',', processors)}],\"changes\":{changes}}}}}}}"));
        }
    }
}
