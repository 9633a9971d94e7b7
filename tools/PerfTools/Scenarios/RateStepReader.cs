using PerfCommon.Measurement;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios;

/// <summary>
/// Reads the result of each step of a changing rate: the collections of the measuring roles, compared with the messages due meanwhile.
/// </summary>
/// <remarks>Rates of several measuring roles are added, their samples cell by cell; each has its own collections within the step.</remarks>
/// <param name="course">The rate.</param>
/// <param name="paths">The paths of the figures.</param>
/// <param name="connections">The number of connections with this rate.</param>
internal sealed class RateStepReader(RateSchedule course, MeasuredPaths paths, int connections)
{
    // The minimum distance of a collection from the edges of its step: the time of the sender's first tick has about this uncertainty.
    private const double EdgeSeconds = 0.4;

    /// <summary>Messages received per message sent.</summary>
    public double Copies { get; init; } = 1;

    /// <summary>Reads the steps of a run.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options.</param>
    /// <param name="course">The rate.</param>
    /// <param name="find">Finds the files of a role.</param>
    /// <param name="copies">Messages received per message sent.</param>
    /// <returns>The steps in order; none when nothing was sent.</returns>
    public static IReadOnlyList<RateStep> Read(Scenario scenario, ScenarioOptions options, RateSchedule course, Func<string, RecordedRole> find, double copies)
    {
        Link first = scenario.LinksOf(options)[0];
        RecordedRole[] measuring = [.. scenario.Figures.Measured.MeasuredBy.Select(find)];
        int Count(string role) => RoleArgumentRules.CountConnections(role, options);
        int connections = scenario.Figures.ConnectedBy is { } connected
            ? Count(connected) * Math.Max(1, scenario.Senders.Count()) : scenario.Figures.Measured.MeasuredBy.Sum(Count);
        RateStepReader reader = new(course, scenario.Figures.Measured, connections) { Copies = copies };
        // several that are connected to the sender itself are not so at once: the first of them shows when it began
        DateTime? begin = scenario.Figures.ConnectedBy is null && measuring.Length > 1
            ? measuring.Select(role => reader.FindBegin(role, first.Received, Count(role.Result.Name))).Min()
            : reader.FindBegin(find(first.From), first.Sent, connections);
        return reader.Read(begin, measuring);
    }

    /// <summary>Reads the steps.</summary>
    /// <param name="begin">When sending began; null when nothing was sent.</param>
    /// <param name="measuring">The roles that measured.</param>
    /// <returns>The steps in order; none when nothing was sent.</returns>
    public IReadOnlyList<RateStep> Read(DateTime? begin, IReadOnlyList<RecordedRole> measuring)
    {
        if (begin is not { } first)
            return [];
        List<Segment>[][] all = [.. measuring.Select(role => ReadSteps(role, first))];
        return [.. course.Steps.Select((_, step) => Add([.. all.Select(own => own[step])], first))];
    }

    /// <summary>Finds when sending began, by the first collection of a role that has messages; null when there is none.</summary>
    /// <param name="role">The role that sent, or received.</param>
    /// <param name="counters">Its counters of those messages.</param>
    /// <param name="own">The number of its connections with this rate.</param>
    public DateTime? FindBegin(RecordedRole role, IReadOnlyList<string> counters, int own)
    {
        foreach (RoleInterval interval in role.Intervals)
        {
            if (counters.Sum(interval.View.Count) is > 0 and var messages)
                return interval.Utc.AddSeconds(-course.SecondsUntil(messages / own));
        }

        return null;
    }

    private List<Segment>[] ReadSteps(RecordedRole measuring, DateTime begin)
    {
        List<Segment>[] pieces = [.. course.Steps.Select(_ => new List<Segment>())];
        foreach (Segment piece in ReadSegments(measuring, begin))
        {
            int step = course.Steps.Count(one => one.From <= piece.From - EdgeSeconds) - 1;
            if (step >= 0 && piece.To <= course.Steps[step].To - EdgeSeconds)
                pieces[step].Add(piece.WithSamplesCopied());
        }

        return pieces;
    }

    private IEnumerable<Segment> ReadSegments(RecordedRole measuring, DateTime begin)
    {
        using IEnumerator<LongHistogram> samples =
            measuring.ReadIntervals(SeriesNames.Of(paths.IntervalLatency) ?? "").GetEnumerator();
        foreach (RoleInterval interval in measuring.Intervals)
        {
            double to = (interval.Utc - begin).TotalSeconds;
            yield return new(to - interval.Seconds, to, interval.View, samples.MoveNext() ? samples.Current : null);
        }
    }

    // A role without a collection in the step adds nothing, and nothing was requested for it.
    private RateStep Add(List<Segment>[] measuring, DateTime begin)
    {
        List<Segment>[] there = [.. measuring.Where(own => own.Sum(piece => piece.Seconds) > 0)];
        Segment[] pieces = [.. there.SelectMany(own => own)];
        return new()
        {
            Utc = pieces.Length == 0 ? null : begin.AddSeconds(pieces.Min(piece => piece.From)),
            Seconds = there.Select(own => own.Sum(piece => piece.Seconds)).DefaultIfEmpty().Max(),
            RateAsked = Copies * connections * there.Sum(own => course.MeanRate(own[0].From, own[^1].To)) / measuring.Length,
            RateReached = there.Sum(own => own.Sum(piece => (piece.View.Number(paths.IntervalRate) ?? 0) * piece.Seconds) / own.Sum(piece => piece.Seconds)),
            LatencyMicros = RunLatency.Add(
                [.. pieces.Select(piece => piece.View.Latency(paths.IntervalLatency)).OfType<RunLatency>()],
                HistogramMerging.Merge([.. pieces.Select(piece => piece.Samples).OfType<LongHistogram>()])),
        };
    }

    private sealed record Segment(double From, double To, JsonView View, LongHistogram? Samples)
    {
        public double Seconds => To - From;

        public Segment WithSamplesCopied() => this with { Samples = Samples?.Copy() };
    }
}
