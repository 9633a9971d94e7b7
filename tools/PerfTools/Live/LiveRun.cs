using System.Globalization;
using System.Text.Json;
using PerfTools.Reports;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using PerfTools.Screen;

namespace PerfTools.Live;

/// <summary>One run in progress: the lines of its roles so far, and the content of the page for them.</summary>
/// <remarks>The thread of the run adds to it; any thread may create the content.</remarks>
/// <param name="plan">The facts known in advance.</param>
/// <param name="start">The start of the run.</param>
internal sealed class LiveRun(LivePlan plan, DateTime start)
{
    private const double BytesPerMegabyte = 1_048_576;
    private const int MaxNotes = 200;
    private const int MaxChanges = 200;

    private readonly Lock _lock = new();
    private readonly OrderedDictionary<string, LiveSeries> _roles = [];
    private readonly List<RunChange> _changes = [];
    private readonly List<string> _notes = [];
    private (RunDocument Run, string Files)? _end;

    private MeasuredPaths? Paths => plan.Paths;

    /// <summary>Receives lines of a role, as it wrote them.</summary>
    /// <inheritdoc cref="LivePage.Receive"/>
    public void Receive(string role, IReadOnlyList<JsonElement> lines, TimeSpan shift = default)
    {
        lock (_lock)
        {
            foreach (JsonElement line in lines)
                Receive(role, line, shift);
        }
    }

    /// <summary>Receives a line for people, such as that of a step.</summary>
    public void AddNote(string line)
    {
        lock (_lock)
        {
            if (_notes.Count == MaxNotes)
                _notes.RemoveAt(0);
            _notes.Add(line.Trim());
        }
    }

    /// <summary>Receives the result.</summary>
    /// <param name="run">The result.</param>
    /// <param name="files">The folder of the results, as a sentence.</param>
    public void End(RunDocument run, string files)
    {
        lock (_lock)
            _end = (run, files);
    }

    /// <summary>Creates the content of the page.</summary>
    public ReportContent Create(DateTime now)
    {
        lock (_lock)
        {
            (string verdict, string sentence) = Judge(now);
            double? asked = plan.Standing?.RateAsked;
            RunPoints points = RunPoints.Of(Paths, start, [.. _roles.Select(role => (role.Key, role.Value.Points))], _changes);
            return new()
            {
                Title = plan.Title,
                Subtitle = Format($"{plan.Name}, {start:yyyy-MM-dd HH:mm:ss} UTC, {((_end?.Run.EndUtc ?? now) - start).TotalSeconds:F0} s; {plan.Folder}"),
                Verdict = verdict,
                Sentence = sentence,
                Next = _end?.Files,
                Figures = [Rates(asked), Latencies(), Usage(), Messages(), Assertions(), Notes()],
                ChartsTitle = "Over time",
                Charts = points.Table.PointCount == 0 ? [] : [.. points.CreateCharts(asked)],
                Conditions = [],
            };
        }
    }

    private void Receive(string role, JsonElement line, TimeSpan shift)
    {
        plan.Standing?.Receive(role, line, shift);
        if (_changes.Count < MaxChanges)
            _changes.AddRange(RunChange.ReadLine(role, line));
        if (RoleInterval.TryRead(line) is not { } collection)
            return;
        if (!_roles.TryGetValue(role, out LiveSeries? series))
            _roles.Add(role, series = new());
        series.Add(Read(role, collection with { Utc = collection.Utc - shift }));
    }

    private RolePoint Read(string role, RoleInterval collection)
    {
        JsonView line = collection.View;
        bool measures = Paths?.MeasuredBy.Contains(role) == true, sends = Paths?.IsSentBy(role) == true;
        return new(collection.Utc, collection.Seconds)
        {
            Received = measures ? line.Number(Paths!.IntervalRate) : null,
            Sent = sends && collection.Seconds > 0 && plan.Sent.Count > 0 ? plan.Sent.Sum(line.Count) / collection.Seconds : null,
            Latency = measures ? Shorten(line.Latency(Paths!.IntervalLatency)) : null,
            Lag = sends ? Shorten(line.Latency(Paths!.SendLag)) : null,
            CpuPercent = line.Number("process.coreCpuPercent"),
            Megabytes = line.Number("process.workingSetBytes") / BytesPerMegabyte,
        };
    }

    private static LatencyPoint? Shorten(RunLatency? latency) => latency is null ? null : new(latency.P50, latency.P99, latency.Max);

    private (string Verdict, string Sentence) Judge(DateTime now)
    {
        if (_end is { Run: var run })
            return (run.ShownVerdict, run.Reason ?? "the run is over");
        string phase = plan.Standing?.DescribePhase(now) ?? (_roles.Count == 0 ? "starting" : "running");
        return plan.Standing?.Judge() is { } verdict
            ? ($"{verdict.Result} so far", verdict.Reason is { } reason ? $"{phase}; {reason}" : phase) : ("RUNNING", phase);
    }

    private TextTable Rates(double? asked)
    {
        double?[] received = [.. Latest(point => point.Received).Select(point => point.Value)];
        double?[] sent = [.. Latest(point => point.Sent).Select(point => point.Value)];
        List<IReadOnlyList<Cell>> rows = [];
        if (asked is not null)
            rows.Add(["rate asked, messages/s", Cell.Of("live.asked", asked, Figure.Whole)]);
        if (sent.Length > 0)
            rows.Add(["sent, messages/s", Cell.Of("live.sent", sent.Sum(), Figure.Whole)]);
        if (received.Length > 0)
            rows.Add(["received, messages/s", Cell.Of("live.received", received.Sum(), Figure.Whole)]);
        return new("Rate of the last collection", [], rows);
    }

    private TextTable Latencies()
    {
        (string Role, LatencyPoint Value)[] latencies = [.. LatestWithSamples(point => point.Latency)];
        return new("Latency and send lag of the last collection with samples, us", ["", "p50", "p99", "max"],
        [
            .. latencies.Select(one => Row(latencies.Length > 1 ? $"latency, {one.Role}" : "latency", $"live.{one.Role}.latency", one.Value)),
            .. LatestWithSamples(point => point.Lag).Select(one => Row("send lag", $"live.{one.Role}.lag", one.Value)),
        ]);
    }

    private static IReadOnlyList<Cell> Row(string name, string path, LatencyPoint latency) =>
        [name, .. new[] { (nameof(latency.P50), latency.P50), (nameof(latency.P99), latency.P99), (nameof(latency.Max), latency.Max) }
            .Select(figure => Cell.Of($"{path}.{figure.Item1.ToLowerInvariant()}", figure.Item2, value => Figure.Micros(value)))];

    private TextTable Usage() => new("Roles", ["", "CPU, % of one core", "memory, MB"],
        [.. _roles.Where(role => role.Value.Latest is not null).Select(role => (IReadOnlyList<Cell>)
        [
            role.Key,
            Cell.Of($"live.{role.Key}.cpu", role.Value.Latest!.CpuPercent, Figure.Percent),
            Cell.Of($"live.{role.Key}.memory", role.Value.Latest!.Megabytes, Figure.Whole),
        ])]);

    private TextTable Messages()
    {
        LinkResult[] links = [.. (plan.Standing?.Links ?? []).Where(link => link.Sent > 0 || link.Received > 0)];
        return new("Messages so far", ["", "from", "to", "sent", "received", "lost", "not sent"],
            [.. links.Select((link, i) => (IReadOnlyList<Cell>)
            [
                link.What, link.From, link.To,
                Cell.Of($"live.links.{i}.sent", link.Sent, Figure.Whole), Cell.Of($"live.links.{i}.received", link.Received, Figure.Whole),
                Cell.Of($"live.links.{i}.lost", link.Lost, Figure.Whole), Cell.Of($"live.links.{i}.notSent", link.NotSent, Figure.Whole),
            ])]);
    }

    private TextTable Assertions() => new("Assertions", [], _end is { Run: var run } ? RunPage.Assertions(run).Rows
        : [.. (plan.Standing?.DescribeAssertions() ?? []).Select(one => (IReadOnlyList<Cell>)[one.Standing, one.Line])]);

    private TextTable Notes() => new("Progress", [], [.. _notes.Select(line => (IReadOnlyList<Cell>)[line])]);

    // Only the roles that have a value.
    private IEnumerable<(string Role, T? Value)> Latest<T>(Func<RolePoint, T?> read) => _roles
        .Select(role => (role.Key, Value: role.Value.Latest is { } latest ? read(latest) : default)).Where(role => role.Value is not null);

    private IEnumerable<(string Role, LatencyPoint Value)> LatestWithSamples(Func<RolePoint, LatencyPoint?> read) =>
        from role in _roles let found = role.Value.FindLatest(read) where found is not null select (role.Key, found);

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
