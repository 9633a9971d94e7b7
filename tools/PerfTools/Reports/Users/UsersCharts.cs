using System.Globalization;
using PerfTools.Reports.Charts;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;

namespace PerfTools.Reports.Users;

/// <summary>Draws the named graphs of the users suite: latency over users, for every load.</summary>
internal static class UsersCharts
{
    private const double MicrosPerMilli = 1_000;
    private const double LeastMillis = 0.001;
    private const int MinFirstPoints = 4;
    private const string Base = "base";

    /// <summary>Draws all graphs of these steps.</summary>
    public static IReadOnlyList<(string Name, Chart Chart)> Create(IReadOnlyList<StepRow> rows) =>
        [.. UsersTables.LoadsOf(rows).SelectMany(load => OfLoad(load, [.. rows.Where(row => row.Scenario == load.Name)]))];

    private static IEnumerable<(string, Chart)> OfLoad(UsersLoad load, StepRow[] rows)
    {
        StepRow[] own = [.. rows.Where(row => row.Variant == Base)];
        string name = ShortName(load);
        if (own.Length > 0)
        {
            yield return ($"mean-{name}", Mean(load, own));
            yield return ($"range-{name}", Range(load, own));
            yield return ($"tail-{name}", Tail(load, own));
            yield return ($"load-{name}", Load(load, own));
        }

        StepRow[] first = [.. own.Where(row => row.UsersAsked <= load.FirstUsers)];
        if (first.Length >= MinFirstPoints && first.Length < own.Length)
        {
            yield return ($"mean-{name}-first", Mean(load, first));
            yield return ($"range-{name}-first", Range(load, first));
        }

        if (rows.Any(row => row.Variant.StartsWith("burst", StringComparison.Ordinal)))
            yield return ($"batching-{name}", Variants($"{load.Title}: mean latency by batching interval, ms", rows, "burst"));
        if (rows.Any(row => row.Variant.StartsWith("size", StringComparison.Ordinal)))
            yield return ($"sizes-{name}", Variants($"{load.Title}: mean latency by message size, ms", rows, "size"));
    }

    private static Chart Mean(UsersLoad load, StepRow[] rows) => new()
    {
        Title = $"{load.Title}: mean latency, ms",
        Note = "Over users.",
        X = Users(rows),
        Y = Axis.FromZero(Means(rows)),
        Lines = [new("mean", Places(rows), Means(rows), 0)],
    };

    private static Chart Range(UsersLoad load, StepRow[] rows) => new()
    {
        Title = $"{load.Title}: least to greatest latency, ms; hub's processor, % of one core",
        Note = "Over users. The area is from the least to the greatest, the line the mean; the dashed line belongs to the right axis.",
        X = Users(rows),
        Y = Axis.FromZero(rows.Select(row => (double?)(row.MaxMicros / MicrosPerMilli))),
        Bands = [new(Places(rows), [.. rows.Select(row => (double?)(row.MinMicros / MicrosPerMilli))],
            [.. rows.Select(row => (double?)(row.MaxMicros / MicrosPerMilli))], 0)],
        Lines = [new("mean", Places(rows), Means(rows), 0)],
        Right = Axis.FromZero(rows.Select(row => row.Hub.CpuPercent)),
        RightLines = [new("hub CPU", Places(rows), [.. rows.Select(row => row.Hub.CpuPercent)], 1, LineStyle.Dashed)],
    };

    private static Chart Tail(UsersLoad load, StepRow[] rows)
    {
        (string Name, double?[] Values)[] lines =
        [
            ("p50", [.. rows.Select(row => row.P50 / MicrosPerMilli)]),
            ("p99", [.. rows.Select(row => row.P99 / MicrosPerMilli)]),
            ("p99.9", [.. rows.Select(row => row.P999 / MicrosPerMilli)]),
        ];
        return new()
        {
            Title = $"{load.Title}: percentiles of latency, ms",
            Note = "Over users; equal ratios are equal distances.",
            X = Users(rows),
            Y = Axis.Logarithmic(lines.SelectMany(line => line.Values), LeastMillis),
            Lines = [.. lines.Select((line, i) => new ChartLine(line.Name, Places(rows), line.Values, i))],
        };
    }

    private static Chart Load(UsersLoad load, StepRow[] rows)
    {
        double?[] expected = [.. rows.Select(row => (double?)(row.Expected / row.Seconds))],
        received = [.. rows.Select(row => (double?)(row.Received / row.Seconds))];
        return new()
        {
            Title = $"{load.Title}: updates a second, due and received; updates per send",
            Note = "Over users. The dashed line belongs to the right axis.",
            X = Users(rows),
            Y = Axis.FromZero(expected.Concat(received)),
            Lines = [new("due", Places(rows), expected, 2, LineStyle.Thin), new("received", Places(rows), received, 0)],
            Right = Axis.FromZero(rows.Select(row => row.Hub.UpdatesPerSend)),
            RightLines = [new("per send", Places(rows), [.. rows.Select(row => row.Hub.UpdatesPerSend)], 1, LineStyle.Dashed)],
        };
    }

    // Draws the base, and every variant of one kind.
    private static Chart Variants(string title, StepRow[] rows, string kind)
    {
        IGrouping<string, StepRow>[] lines =
            [.. rows.Where(row =>
                row.Variant == Base || row.Variant.StartsWith(kind, StringComparison.Ordinal)).GroupBy(row => row.Variant)];
        return new()
        {
            Title = title,
            Note = "Over users; a variant with one step is a point.",
            X = Users(lines.SelectMany(line => line)),
            Y = Axis.FromZero(lines.SelectMany(line => Means(line))),
            Lines = [.. lines.Select((line, i) => new ChartLine(line.Key, Places(line), Means(line), i))],
        };
    }

    /// <summary>Draws the values of one parameter side by side: mean and p99 at the maximum number of users measured in all ramps.</summary>
    public static (string Name, Chart Chart) Sweep(UsersSweep sweep)
    {
        string[] values = [.. sweep.Variants.Select(sweep.ValueOf).Distinct()];
        (string Others, FinishedVariant[] Ramps)[] lines =
            [.. sweep.Variants.GroupBy(sweep.OthersOf).Select(alike => (alike.Key, alike.ToArray()))];
        double Place(FinishedVariant done) => Array.IndexOf(values, sweep.ValueOf(done));
        double?[] Figures(FinishedVariant[] ramps, Func<StepRow, double?> read) =>
            [.. ramps.Select(done => sweep.ComparedStepOf(done) is { } step ? read(step) / MicrosPerMilli : null)];
        ChartLine[] drawn =
        [
            .. lines.SelectMany((line, i) => (ChartLine[])[
                new($"mean {line.Others}".TrimEnd(), [.. line.Ramps.Select(Place)], Figures(line.Ramps, step => step.MeanMicros), i),
                new($"p99 {line.Others}".TrimEnd(), [.. line.Ramps.Select(Place)], Figures(line.Ramps, step => step.P99), i, LineStyle.Dashed)]),
        ];
        string users = sweep.ComparedUsers is { } compared
            ? string.Create(CultureInfo.InvariantCulture, $"with {compared:N0} users") : "(no number of users that all were measured with)";
        return ($"sweep-{ShortName(sweep.Load)}-{sweep.Parameter}", new()
        {
            Title = $"{sweep.Load.Title}: latency by {sweep.Parameter}, ms",
            Note = $"Over the values of {sweep.Parameter}, {users}. {(sweep.Best is { } best ? $"Best: {sweep.ValueOf(best)}." : "")}".TrimEnd(),
            X = Axis.Named(values),
            Y = Axis.FromZero(drawn.SelectMany(line => line.Y)),
            Lines = drawn,
        });
    }

    private static string ShortName(UsersLoad load) => load.Name[(load.Name.IndexOf('-', StringComparison.Ordinal) + 1)..];

    private static Axis Users(IEnumerable<StepRow> rows) => Axis.FromZero(rows.Select(row => (double?)row.UsersAsked));

    private static double[] Places(IEnumerable<StepRow> rows) => [.. rows.Select(row => (double)row.UsersAsked)];

    private static double?[] Means(IEnumerable<StepRow> rows) => [.. rows.Select(row => row.MeanMicros / MicrosPerMilli)];
}
