using PerfTools.Reports.Charts;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;

namespace PerfTools.Reports;

/// <summary>The collections of a run as points over time, and the charts of them.</summary>
internal sealed class RunPoints
{
    private const double LeastMicros = 1;
    private const double BytesPerMegabyte = 1_048_576;
    private const string Rate = "rate";
    private const string Cpu = "cpu";
    private const string Memory = "memory";
    private const string Sent = "sent";
    private const string Latency = "latency";
    private const string Lag = "lag";

    private readonly IReadOnlyList<string> _roles;
    private readonly IReadOnlyList<string> _measuring;
    private readonly IReadOnlyList<string> _senders;
    private readonly IReadOnlyList<ChartMark> _marks;

    private RunPoints(PointTable table, IReadOnlyList<string> roles, IReadOnlyList<string> measuring, IReadOnlyList<string> senders,
        IReadOnlyList<ChartMark> marks) =>
        (Table, _roles, _measuring, _senders, _marks) = (table, roles, measuring, senders, marks);

    /// <summary>The points; without columns where nothing was collected.</summary>
    public PointTable Table { get; }

    /// <summary>Reads the points from JSON lines, and from histograms where several collections become one point.</summary>
    /// <param name="recorded">The run.</param>
    public static RunPoints Read(RecordedRun recorded)
    {
        MeasuredPaths? paths = MeasuredPaths.Of(recorded.Document);
        DateTime start = recorded.Document.StartUtc;
        Dictionary<string, IReadOnlyList<double>> times = recorded.Roles.ToDictionary(
            role => role.Result.Name,
            role => (IReadOnlyList<double>)[.. role.Intervals.Select(interval => (interval.Utc - start).TotalSeconds)]);
        PointGrid grid = CreateGrid(recorded.Roles.SelectMany(role => role.Intervals).Select(interval => interval.Seconds), times);
        IReadOnlyList<string> measuring = paths?.MeasuredBy ?? [];
        string[] senders = [.. recorded.Roles.Select(role => role.Result.Name).Where(role => paths?.IsSentBy(role) == true)];
        foreach (RecordedRole role in recorded.Roles)
        {
            if (measuring.Contains(role.Result.Name))
            {
                Add(grid, role, Rate, "messages/s", line => line.Number(paths!.IntervalRate));
                LatencyPoints.Add(grid, role, Latency, paths!.IntervalLatency);
            }

            if (senders.Contains(role.Result.Name))
                LatencyPoints.Add(grid, role, Lag, paths!.SendLag);
        }

        foreach (RecordedRole role in recorded.Roles)
        {
            Add(grid, role, Cpu, "CPU %", line => line.Number("process.coreCpuPercent"));
            Add(grid, role, Memory, "MB", line => line.Number("process.workingSetBytes") / BytesPerMegabyte);
        }

        return new(grid.Create(), [.. recorded.Roles.Select(role => role.Result.Name)], measuring, senders,
            [.. (recorded.Document.Changes ?? []).Select(change => MarkOf(change, start))]);
    }

    /// <summary>Creates the points of a run in progress.</summary>
    /// <param name="paths">The roles that measure, with the paths of their figures; null where no role measures.</param>
    /// <param name="start">The start of the run.</param>
    /// <param name="roles">The points of each role, in the order of the run.</param>
    /// <param name="changes">The settings changed by hand during the run.</param>
    public static RunPoints Of(MeasuredPaths? paths, DateTime start, IReadOnlyList<(string Name, IReadOnlyList<RolePoint> Points)> roles,
        IReadOnlyList<RunChange> changes)
    {
        PointGrid grid = CreateGrid(roles.SelectMany(role => role.Points).Select(point => point.Seconds), roles.ToDictionary(
            role => role.Name, role => (IReadOnlyList<double>)[.. role.Points.Select(point => (point.Utc - start).TotalSeconds)]));
        foreach ((string role, IReadOnlyList<RolePoint> points) in roles)
        {
            void Add(string name, Thinning thinning, Func<RolePoint, double?> read) =>
                grid.Add(role, name, $"{role} {name}", thinning, points.Select(read));
            void AddLatency(string name, Func<RolePoint, LatencyPoint?> read)
            {
                Add(name + ".p50", Thinning.Highest, point => read(point)?.P50);
                Add(name + ".p99", Thinning.Highest, point => read(point)?.P99);
                Add(name + ".max", Thinning.Highest, point => read(point)?.Max);
            }

            Add(Rate, Thinning.Mean, point => point.Received);
            Add(Sent, Thinning.Mean, point => point.Sent);
            AddLatency(Latency, point => point.Latency);
            AddLatency(Lag, point => point.Lag);
            Add(Cpu, Thinning.Mean, point => point.CpuPercent);
            Add(Memory, Thinning.Mean, point => point.Megabytes);
        }

        return new(grid.Create(), [.. roles.Select(role => role.Name)], paths?.MeasuredBy ?? [],
            [.. roles.Select(role => role.Name).Where(role => paths?.IsSentBy(role) == true)],
            [.. changes.Select(change => MarkOf(change, start))]);
    }

    /// <summary>Draws the charts over time for which there are points.</summary>
    /// <param name="rateAsked">The requested messages per second; null when unknown.</param>
    public IEnumerable<Chart> CreateCharts(double? rateAsked)
    {
        string each = Table.SecondsPerPoint > 1 ? FormattableString.Invariant($" Each point is {Table.SecondsPerPoint:0.#} s.") : "";
        Chart?[] charts =
        [
            .. _measuring.Select(role =>
                Band(role, Latency, "Latency over time, us",
                    "Band from p50 to p99 (of two points where one has too few samples), and the highest of all samples." + each)),
            Rates(rateAsked, each),
            .. _senders.Select(sender =>
                Band(sender, Lag, "Send lag over time, us", "How late the sender's ticks started: p50 to p99, and the latest." + each)),
            OfRoles(Cpu, "CPU, % of one core", each),
            OfRoles(Memory, "Memory in use, MB", each),
        ];
        return charts.OfType<Chart>().Select(chart => chart with { Marks = _marks });
    }

    private static PointGrid CreateGrid(IEnumerable<double> lengths, IReadOnlyDictionary<string, IReadOnlyList<double>> times)
    {
        double[] ordered = [.. lengths.Order()];
        return new(ordered.Length == 0 ? 1 : Math.Max(1, Math.Round(ordered[ordered.Length / 2])), times);
    }

    private static ChartMark MarkOf(RunChange change, DateTime start)
    {
        double seconds = (change.Utc - start).TotalSeconds;
        return new(seconds, FormattableString.Invariant($"{seconds:F1} s, {change.Role}: {change.Name} {change.Value}"));
    }

    private static void Add(PointGrid grid, RecordedRole role, string name, string title, Func<JsonView, double?> read) =>
        grid.Add(role.Result.Name, name, $"{role.Result.Name} {title}", Thinning.Mean,
            role.Intervals.Select(interval => read(interval.View)));

    private Chart? Band(string role, string name, string title, string note)
    {
        IReadOnlyList<double?>? p50 = Table[$"{role}.{name}.p50"], p99 = Table[$"{role}.{name}.p99"], max = Table[$"{role}.{name}.max"];
        ChartLine?[] lines =
        [
            max is null ? null : new("max", Table.Seconds, max, 1, LineStyle.Thin),
            p99 is null ? null : new("p99", Table.Seconds, p99, 0, LineStyle.Thin),
            p50 is null ? null : new("p50", Table.Seconds, p50, 0),
        ];
        return lines.All(line => line is null) ? null : new Chart
        {
            Title = title + ((name == Lag ? _senders : _measuring).Count > 1 ? $" ({role})" : ""),
            Note = note,
            X = TimeAxis(),
            Y = Axis.Logarithmic(lines.OfType<ChartLine>().SelectMany(line => line.Y), LeastMicros),
            Bands = p50 is null || p99 is null ? [] : [new(Table.Seconds, p50, p99, 0)],
            Lines = [.. lines.OfType<ChartLine>()],
        };
    }

    private Chart? Rates(double? asked, string each)
    {
        List<ChartLine> lines =
            [.. _measuring.Where(role =>
                Table[$"{role}.{Rate}"] is not null).Select((role, i) =>
                new ChartLine(_measuring.Count > 1 ? role : "reached", Table.Seconds, Table[$"{role}.{Rate}"]!, i))];
        if (lines.Count == 0)
            return null;
        // known for a run in progress
        (string Name, IReadOnlyList<double?>? Points)[] sent =
            [.. _senders.Select(role => (role, Table[$"{role}.{Sent}"])).Where(line => line.Item2 is not null)];
        foreach ((string sender, IReadOnlyList<double?>? points) in sent)
            lines.Add(new(sent.Length > 1 ? $"{Sent} by {sender}" : Sent, Table.Seconds, points!, lines.Count, LineStyle.Thin));
        if (asked is { } rate)
            lines.Add(new("asked", [0, Table.Seconds[^1]], [rate, rate], lines.Count, LineStyle.Dashed));
        return Simple("Rate, messages/s", $"What was {(sent.Length == 0 ? "" : "sent and ")}received in each interval.{each}", lines);
    }

    private Chart? OfRoles(string name, string title, string each)
    {
        ChartLine[] lines =
        [
            .. _roles.Select((role, i) => (role, i, points: Table[$"{role}.{name}"])).Where(role => role.points is not null)
                .Select(role => new ChartLine(role.role, Table.Seconds, role.points!, role.i)),
        ];
        return lines.Length == 0 ? null : Simple(title, "Of each role." + each, lines);
    }

    private Chart Simple(string title, string note, IReadOnlyList<ChartLine> lines) => new()
    {
        Title = title,
        Note = note,
        X = TimeAxis(),
        Y = Axis.FromZero(lines.SelectMany(line => line.Y)),
        Lines = lines,
    };

    private Axis TimeAxis() => Axis.Time(Table.Seconds[^1]);
}
