using System.Text.Json;
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

    /// <summary>Messages a second that the measuring roles send themselves and that return to them.</summary>
    public double Returning { get; init; }

    /// <summary>Reads the steps of a run.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="options">Its options.</param>
    /// <param name="course">The rate.</param>
    /// <param name="find">Finds the files of a role.</param>
    /// <param name="finals">The final lines by role.</param>
    /// <returns>The steps in order; none when nothing was sent.</returns>
    public static IReadOnlyList<RateStep> Read(Scenario scenario, ScenarioOptions options, RateSchedule course, Func<string, RecordedRole> find,
        IReadOnlyDictionary<string, JsonElement> finals)
    {
        Link first = scenario.LinksOf(options)[0];
        FigureReader figures = new(scenario, options);
        int Count(string role) => RoleArgumentRules.CountConnections(role, options);
        Role[] senders = [.. scenario.Senders];
        (Role Role, RecordedRole Files)[] measuring =
            [.. scenario.Figures.Measured.MeasuredBy.Select(name => (scenario.Roles.First(role => role.Name == name), find(name)))];
        string? connected = scenario.Figures.ConnectedBy;
        int connections = connected is null ? measuring.Sum(role => Count(role.Role.Name)) : Count(connected) * Math.Max(1, senders.Length);
        RateStepReader reader = new(course, scenario.Figures.Measured, connections)
        {
            Copies = figures.ReadCopies(finals),
            Returning = figures.ReadReturning(finals),
        };
        DateTime? FindBeginOf(Role sender)
        {
            (Role Role, RecordedRole Files)[] own = [.. measuring.Where(role => scenario.SendersOf(role.Role).Contains(sender))];
            // several that are connected to the sender itself are not so at once: the first of them shows when it began
            return connected is null && own.Length > 1
                ? own.Select(role => reader.FindBegin(role.Files, first.Received, Count(role.Role.Name))).Min()
                : reader.FindBegin(find(sender.Name), first.Sent, Count(connected ?? own[0].Role.Name));
        }

        Dictionary<string, DateTime?> begins = senders.ToDictionary(sender => sender.Name, FindBeginOf);
        return reader.Read([.. measuring.Select(role =>
            new SteppedRole(role.Files, [.. scenario.SendersOf(role.Role).Select(sender => begins[sender.Name]).OfType<DateTime>()]))]);
    }

    /// <summary>Reads the steps: of several senders the time in which all of them had the rate of the step.</summary>
    /// <param name="measuring">The roles that measured.</param>
    /// <returns>The steps in order; none when nothing was sent.</returns>
    public IReadOnlyList<RateStep> Read(IReadOnlyList<SteppedRole> measuring)
    {
        DateTime[] begins = [.. measuring.SelectMany(role => role.Begins)];
        if (begins is [])
            return [];
        DateTime first = begins.Min();
        double late = (begins.Max() - first).TotalSeconds;
        List<Segment>[][] all = [.. measuring.Select(role => ReadSteps(role.Files, first, late))];
        return [.. course.Steps.Select((_, step) => Add([.. measuring.Select((role, i) => (role, all[i][step]))], first))];
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

    // From the begin of the step at the last sender until its end at the first one.
    private List<Segment>[] ReadSteps(RecordedRole measuring, DateTime begin, double late)
    {
        List<Segment>[] pieces = [.. course.Steps.Select(_ => new List<Segment>())];
        foreach (Segment piece in ReadSegments(measuring, begin))
        {
            int step = course.Steps.Count(one => one.From + late <= piece.From - EdgeSeconds) - 1;
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
    private RateStep Add((SteppedRole Role, List<Segment> Own)[] measuring, DateTime begin)
    {
        (SteppedRole Role, List<Segment> Own)[] there = [.. measuring.Where(role => role.Own.Sum(piece => piece.Seconds) > 0)];
        Segment[] pieces = [.. there.SelectMany(role => role.Own)];
        return new()
        {
            Utc = pieces.Length == 0 ? null : begin.AddSeconds(pieces.Min(piece => piece.From)),
            Seconds = there.Select(role => role.Own.Sum(piece => piece.Seconds)).DefaultIfEmpty().Max(),
            RateAsked = ((Copies * connections * there.Sum(role => FindMeanRate(role.Role, role.Own[0].From, role.Own[^1].To, begin)))
                + (Returning * there.Length)) / measuring.Length,
            RateReached = there.Sum(role =>
                role.Own.Sum(piece => (piece.View.Number(paths.IntervalRate) ?? 0) * piece.Seconds) / role.Own.Sum(piece => piece.Seconds)),
            LatencyMicros = RunLatency.Add(
                [.. pieces.Select(piece => piece.View.Latency(paths.IntervalLatency)).OfType<RunLatency>()],
                HistogramMerging.Merge([.. pieces.Select(piece => piece.Samples).OfType<LongHistogram>()])),
        };
    }

    // The mean of all that send to the role, each since its own begin.
    private double FindMeanRate(SteppedRole role, double from, double to, DateTime begin) => role.Begins
        .Select(own => (own - begin).TotalSeconds).DefaultIfEmpty().Average(late => course.MeanRate(from - late, to - late));

    private sealed record Segment(double From, double To, JsonView View, LongHistogram? Samples)
    {
        public double Seconds => To - From;

        public Segment WithSamplesCopied() => this with { Samples = Samples?.Copy() };
    }
}

/// <summary>A role that measured a changing rate.</summary>
/// <param name="Files">Its files.</param>
/// <param name="Begins">When those began that send to it; none where that is not known.</param>
internal sealed record SteppedRole(RecordedRole Files, IReadOnlyList<DateTime> Begins);
