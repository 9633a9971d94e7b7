using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Merging;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios.Users;

/// <summary>Creates the rows of a ramp's steps from the lines of its roles.</summary>
/// <param name="variant">The ramp.</param>
/// <param name="loads">The CPU use of others on the busiest machine in each step, in percent; fewer entries where unknown.</param>
internal sealed class StepReader(UsersVariant variant, IReadOnlyList<double?> loads)
{
    private const double BytesPerMegabyte = 1_048_576;
    private const int P50 = 50, P90 = 90, P99 = 99;
    private const double P999 = 99.9;

    /// <summary>Adds the steps up over all processes with users.</summary>
    /// <param name="parts">The results of each of these processes.</param>
    /// <param name="hub">The hub's collections.</param>
    /// <param name="sources">The collections of each source.</param>
    /// <returns>The steps common to all processes that reached their end; without such a process, the steps common to all.</returns>
    public IReadOnlyList<MergedStep> Read(
        IReadOnlyList<UsersPart> parts, IReadOnlyList<RoleInterval> hub, IReadOnlyList<IReadOnlyList<RoleInterval>> sources)
    {
        IEnumerable<UsersPart> deciding = parts.Any(part => part.IsWhole) ? parts.Where(part => part.IsWhole) : parts;
        int steps = parts.Count == 0 ? 0 : deciding.Min(part => part.Periods.Count);
        return [.. Enumerable.Range(0,
            steps).Select(step => Merge([.. parts.Where(part => part.Periods.Count > step)], step, hub, sources))];
    }

    private MergedStep Merge(UsersPart[] all, int step, IReadOnlyList<RoleInterval> hub, IReadOnlyList<IReadOnlyList<RoleInterval>> sources)
    {
        JsonView[] parts = [.. all.Select(part => part.Periods[step])];
        (DateTime from, DateTime to) = all[0].WindowOf(step);
        double seconds = parts[0].Number("seconds") ?? 0;
        int asked = AskedOf(parts);
        StepGroup measuring = StepGroup.Of(all, step, measures: true), checking = StepGroup.Of(all, step, measures: false);
        Window window = new(from, to);
        StepRow row = new()
        {
            Scenario = variant.Load.Name,
            Variant = variant.Name,
            Step = (int)parts[0].Count("step"),
            Utc = from,
            UsersAsked = asked,
            UsersIn = (int)Sum(parts, "in"),
            Seconds = seconds,
            Expected = variant.Parameters is { UserRate: > 0, PostRate: 0 }
                ? asked * variant.Parameters.UserRate * seconds : parts.Sum(part => part.Number("expected") ?? 0),
            Received = Sum(parts, "updates"),
            Samples = measuring.Count,
            SumMicros = measuring.SumMicros,
            MinMicros = measuring.MinMicros,
            MaxMicros = measuring.MaxMicros,
            P50 = measuring.Percentile(P50),
            P90 = measuring.Percentile(P90),
            P99 = measuring.Percentile(P99),
            P999 = measuring.Percentile(P999),
            SpreadP99 = checking.Percentile(P99),
            SpreadMax = checking.Count > 0 ? checking.MaxMicros : null,
            Lost = Sum(parts, "lost"),
            LoginRetries = Sum(parts, "loginRetries"),
            Order = new(Sum(parts, "missing"), Sum(parts, "outOfOrder"), Sum(parts, "repeated")),
            Posts = new(Sum(parts, "posts"), Sum(parts, "postSumMicros"), parts.Max(part => part.Count("postMax"))),
            ForeignPercent = step < loads.Count ? loads[step] : null,
            UsersCpuMax = parts.SelectMany(part => part.Numbers("cpuPerThread")).Select(percent => (double?)percent).Max(),
            Hub = ReadHub(window, hub),
            SendLagP99 = sources.SelectMany(window.In).Select(line =>
                line.View.Number("overall.sendLag.p99Micros") ?? line.View.Number("overall.sendLag.maxMicros")).Max(),
            NotSent = (long)Math.Round(sources.Sum(lines => window.Sum(lines, "overall.counts.updatesNotSent"))),
        };
        return new(row, measuring.Samples, checking.Samples);
    }

    // A step counts the users of all parts, a period that was asked for those of its process.
    private static int AskedOf(JsonView[] parts) => (int)(parts[0].Number("step") is null ? Sum(parts, "asked") : parts[0].Count("users"));

    private static long Sum(IEnumerable<JsonView> parts, string name) => parts.Sum(part => part.Count(name));

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
            Throttled = (long)Math.Round(Sum("updatesThrottled")),
            Cut = (long)Math.Round(Sum("connectionsCut")),
        };
    }

    /// <summary>A time window; collections that lie partly in it count for their share.</summary>
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

        /// <summary>The mean of a figure that is valid for each collection's time; null where there is none.</summary>
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
