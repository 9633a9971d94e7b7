using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Results;

namespace PerfTools.Scenarios.Users;

/// <summary>Makes the rows of a ramp's steps from what its roles have written.</summary>
/// <param name="variant">Which ramp.</param>
internal sealed class StepReader(UsersVariant variant)
{
    private const double BytesPerMegabyte = 1_048_576;
    private const int P50 = 50, P90 = 90, P99 = 99;
    private const double P999 = 99.9;

    /// <summary>The rows of all steps that every process with users has measured.</summary>
    /// <param name="users">The lines of each process with users.</param>
    /// <param name="histograms">The samples of each step of each of these processes.</param>
    /// <param name="hub">The hub's collections.</param>
    /// <param name="sources">Those of each source.</param>
    public IReadOnlyList<StepRow> Read(
        IReadOnlyList<IReadOnlyList<JsonElement>> users, IReadOnlyList<IReadOnlyList<LongHistogram>> histograms,
        IReadOnlyList<RoleInterval> hub, IReadOnlyList<IReadOnlyList<RoleInterval>> sources)
    {
        JsonView[][] periods = [.. users.Select(lines => lines.Select(line => new JsonView(line)).Where(line => line.Number("step") is not null).ToArray())];
        int steps = periods.Min(lines => lines.Length);
        return [.. Enumerable.Range(0, steps).Select(step => Merge(
            [.. periods.Select(lines => lines[step])], [.. histograms.Where(all => all.Count > step).Select(all => all[step])], hub, sources))];
    }

    private StepRow Merge(JsonView[] parts, LongHistogram[] samples, IReadOnlyList<RoleInterval> hub, IReadOnlyList<IReadOnlyList<RoleInterval>> sources)
    {
        DateTime from = DateTime.Parse(parts[0].Text("utc")!, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal);
        double seconds = parts[0].Number("seconds") ?? 0;
        int asked = (int)parts.Sum(part => part.Count("asked"));
        JsonView[] measured = [.. parts.Where(part => part.Count("count") > 0)];
        long max = measured.Select(part => part.Count("max")).DefaultIfEmpty().Max();
        LongHistogram? merged = HistogramMerging.Merge(samples);
        Window window = new(from, from.AddSeconds(seconds));
        return new StepRow
        {
            Scenario = variant.Load.Name,
            Variant = variant.Name,
            Step = (int)parts[0].Count("step"),
            Utc = from,
            UsersAsked = asked,
            UsersIn = (int)parts.Sum(part => part.Count("in")),
            Seconds = seconds,
            Expected = asked * variant.Parameters.UserRate * seconds,
            Received = parts.Sum(part => part.Count("updates")),
            Samples = parts.Sum(part => part.Count("count")),
            SumMicros = parts.Sum(part => part.Count("sumMicros")),
            MinMicros = measured.Select(part => part.Count("min")).DefaultIfEmpty().Min(),
            MaxMicros = max,
            P50 = Percentile(merged, P50, max),
            P90 = Percentile(merged, P90, max),
            P99 = Percentile(merged, P99, max),
            P999 = Percentile(merged, P999, max),
            Lost = parts.Sum(part => part.Count("lost")),
            OutOfOrder = parts.Sum(part => part.Count("outOfOrder")),
            UsersCpuMax = parts.SelectMany(part => part.Numbers("cpuPerThread")).Select(percent => (double?)percent).Max(),
            Hub = ReadHub(window, hub),
            SendLagP99 = sources.SelectMany(window.In).Select(line => line.View.Number("overall.sendLag.p99Micros") ?? line.View.Number("overall.sendLag.maxMicros")).Max(),
            NotSent = (long)Math.Round(sources.Sum(lines => window.Sum(lines, "overall.counts.updatesNotSent"))),
        };
    }

    private static HubStep ReadHub(Window window, IReadOnlyList<RoleInterval> hub)
    {
        RoleInterval? last = window.In(hub).LastOrDefault();
        double Sum(string counter) => window.Sum(hub, "overall.counts." + counter);
        return new HubStep
        {
            CpuPercent = window.Mean(hub, "process.coreCpuPercent"),
            MemoryMegabytes = last?.View.Number("process.workingSetBytes") / BytesPerMegabyte,
            UpdatesIn = Sum("updatesReceived"),
            Delivered = Sum("updatesSent"),
            Sends = Sum("sends"),
            BytesOut = Sum("bytesSent"),
            BurstMicros = window.In(hub).Select(line => line.View.Number("overall.gauges.burstMicros") ?? 0).DefaultIfEmpty().Max(),
            QueuedBytesMax = last?.View.Count("overall.gauges.queuedBytesMax") ?? 0,
            Conflated = (long)Math.Round(Sum("updatesConflated")),
            Dropped = (long)Math.Round(Sum("updatesDropped")),
            Cut = (long)Math.Round(Sum("connectionsCut")),
        };
    }

    private static double? Percentile(LongHistogram? samples, double percentile, long max) => samples is null || samples.TotalCount < LatencyFigures.SamplesNeeded(percentile)
        ? null : Math.Min(samples.GetValueAtPercentile(percentile), max);

    /// <summary>A time; collections that lie partly in it count for their share.</summary>
    private readonly record struct Window(DateTime From, DateTime To)
    {
        public IEnumerable<RoleInterval> In(IEnumerable<RoleInterval> lines)
        {
            Window own = this;
            return lines.Where(line => own.ShareOf(line) > 0);
        }

        public double Sum(IEnumerable<RoleInterval> lines, string path)
        {
            double sum = 0;
            foreach (RoleInterval line in lines)
                sum += ShareOf(line) * (line.View.Number(path) ?? 0);
            return sum;
        }

        /// <summary>Of figures that hold for each collection's time; null where there is none.</summary>
        public double? Mean(IEnumerable<RoleInterval> lines, string path)
        {
            double sum = 0, seconds = 0;
            foreach (RoleInterval line in lines)
            {
                double own = ShareOf(line) * line.Seconds;
                sum += own * (line.View.Number(path) ?? 0);
                seconds += own;
            }

            return seconds > 0 ? sum / seconds : null;
        }

        private double ShareOf(RoleInterval line)
        {
            DateTime begin = line.Utc.AddSeconds(-line.Seconds);
            double overlap = (Min(line.Utc, To) - Max(begin, From)).TotalSeconds;
            return line.Seconds > 0 ? Math.Clamp(overlap / line.Seconds, 0, 1) : 0;
        }

        private static DateTime Min(DateTime a, DateTime b) => a < b ? a : b;

        private static DateTime Max(DateTime a, DateTime b) => a > b ? a : b;
    }
}
