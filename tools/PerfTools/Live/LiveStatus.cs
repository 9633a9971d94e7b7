using System.Globalization;
using System.Text.Json;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Verdicts;

namespace PerfTools.Live;

/// <summary>The progress and the provisional verdict of a run of a scenario, from the collections of its roles.</summary>
internal sealed class LiveStatus(Scenario scenario, ScenarioOptions options)
{
    // The thresholds that can be judged before the end: percentiles of the whole run are known only then.
    private static readonly string[] JudgedMeanwhile = [Threshold.Rate, Threshold.Rate + Threshold.Share, Threshold.NotSent, Threshold.Lost];

    // Collections are a little early or late.
    private const double SlackSeconds = 0.1;

    private readonly FigureReader _reader = new(scenario, options);
    private readonly IReadOnlyList<Link> _links = scenario.LinksOf(options);
    private readonly Dictionary<(int Link, string Counters), long> _counts = [];
    private readonly Dictionary<string, JsonElement> _latest = [];
    private readonly Dictionary<string, Measured> _measured = [];
    private DateTime? _measuringSince;
    private bool _isEnding;
    private bool _isChanged;

    /// <summary>The requested messages per second; null when the rate is unknown or changes.</summary>
    public double? RateAsked =>
        options.Schedule is null && !_isChanged && _latest.Count > 0 && _reader.ReadRateAsked(_latest) is > 0 and var asked ? asked : null;

    /// <summary>The counts of every link so far.</summary>
    public IReadOnlyList<LinkResult> Links =>
    [
        .. _links.Select((link, i) => new LinkResult
        {
            From = link.From,
            To = link.To,
            What = link.What,
            Sent = CountOf(i, nameof(link.Sent)),
            Received = CountOf(i, nameof(link.Received)),
            Lost = CountOf(i, nameof(link.Lost)),
            Unwatched = CountOf(i, nameof(link.Unwatched)) ?? 0,
            NotSent = CountOf(i, nameof(link.NotSent)),
            Comparable = false, // messages are in flight
        }),
    ];

    /// <summary>Receives a line of a role.</summary>
    /// <param name="role">The role.</param>
    /// <param name="line">The line.</param>
    /// <param name="shift">The time to subtract from its own.</param>
    public void Receive(string role, JsonElement line, TimeSpan shift)
    {
        if (RunChange.ReadLine(role, line).ToArray() is { Length: > 0 } changes)
            _isChanged |= Array.Exists(changes, change => change.IsOfLoad);
        else if (RoleInterval.TryRead(line) is { } collection)
            Receive(role, collection with { Utc = collection.Utc - shift });
        else
            _isEnding |= new JsonView(line).IsTrue("final") && scenario.Figures.Measured.MeasuredBy.Contains(role);
    }

    /// <summary>Describes the progress, as a sentence without its full stop.</summary>
    public string DescribePhase(DateTime now)
    {
        if (scenario.Figures.Sizes is not null)
            return "running: figures follow at the end";
        if (_isEnding)
            return "ending";
        if (_measuringSince is not { } since)
            return _latest.Count == 0 ? "starting" : scenario.Figures.Images is null ? "connecting" : "waiting for images";
        double seconds = Math.Clamp((now - since).TotalSeconds, 0, options.Seconds);
        return Format($"measuring, {seconds:F0} of {options.Seconds:N0} s{DescribeStep(seconds)}");
    }

    /// <summary>The verdict if the run continued like this; null before there is anything to judge.</summary>
    public Verdict? Judge() => _measured.Values.Sum(role => role.Seconds) <= 0 ? null
        : Verdict.Of(null, Figures, Links, new SlowCause()).With(CreateAssertions().Where(assertion => IsKnown(assertion.Threshold)));

    /// <summary>The thresholds, each with its current state.</summary>
    public IEnumerable<(string Standing, string Line)> DescribeAssertions() => CreateAssertions().Select(assertion =>
        _measured.Count == 0 || !IsKnown(assertion.Threshold) ? ("at the end", assertion.Threshold.Text)
        : (assertion.IsKept ? "kept so far" : "missed so far", assertion.Line));

    private RunFigures Figures => new()
    {
        RateAsked = RateAsked,
        RateReached = _measured.Values.Sum(role => role.Messages / role.Seconds),
        SteadySeconds = _measured.Values.Max(role => role.Seconds),
        LatencyMicros = null,
        SendLagMicros = null,
        Images = null,
    };

    private IReadOnlyList<ThresholdResult> CreateAssertions() =>
        new RunAssertions(_measured.Count == 0 ? null : Figures, Links, []).Compare(options.Thresholds);

    private bool IsKnown(Threshold threshold) => threshold.Role is null && JudgedMeanwhile.Contains(threshold.Metric)
        && (threshold.Metric != Threshold.Rate + Threshold.Share || RateAsked is not null);

    private void Receive(string role, RoleInterval collection)
    {
        _latest[role] = collection.Line;
        for (int i = 0; i < _links.Count; i++)
        {
            Link link = _links[i];
            if (link.IsFrom(role))
            {
                Count(i, nameof(link.Sent), link.Sent, collection.View);
                Count(i, nameof(link.NotSent), link.NotSent, collection.View);
            }

            if (link.IsTo(role))
            {
                Count(i, nameof(link.Received), link.Received, collection.View);
                Count(i, nameof(link.Lost), link.Lost, collection.View);
                Count(i, nameof(link.Unwatched), link.Unwatched, collection.View);
            }
        }

        if (scenario.Figures.Measured.MeasuredBy.Contains(role))
            Measure(role, collection);
    }

    // The collection in which measuring began is partial.
    private void Measure(string role, RoleInterval collection)
    {
        if (_measuringSince is not null && collection.Seconds > 0 && collection.Utc.AddSeconds(-collection.Seconds) >= _measuringSince)
        {
            Measured before = _measured.GetValueOrDefault(role);
            double rate = collection.View.Number(scenario.Figures.Measured.IntervalRate) ?? 0;
            _measured[role] = new(before.Seconds + collection.Seconds, before.Messages + (rate * collection.Seconds));
        }
        else if (_measuringSince is null && _reader.ReadProgress(collection.Line, []).IsMeasuring)
        {
            _measuringSince = collection.Utc.AddSeconds(-SlackSeconds);
        }
    }

    private void Count(int link, string name, IReadOnlyList<string> counters, JsonView line)
    {
        if (counters.Count > 0)
            _counts[(link, name)] = _counts.GetValueOrDefault((link, name)) + counters.Sum(line.Count);
    }

    private long? CountOf(int link, string name) => _counts.TryGetValue((link, name), out long count) ? count : null;

    private string DescribeStep(double seconds)
    {
        if (options.Schedule is not { } course)
            return "";
        int step = Math.Max(0, course.Steps.ToList().FindLastIndex(one => one.From <= seconds));
        (double from, double to) = course.Steps[step];
        return Format($"; step {step + 1} of {course.Steps.Count}, {course.MeanRate(from, to):N0}/s asked on each connection");
    }

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private readonly record struct Measured(double Seconds, double Messages);
}
