using PerfCommon.Measurement;

namespace UsersPerf;

/// <summary>The figures of one period for the users of a thread, or of all threads together. One owner at a time.</summary>
internal sealed class Period
{
    private readonly LongHistogram _latencies = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);

    /// <summary>Users who had all their images when the period began.</summary>
    public int UsersIn { get; set; }

    /// <summary>Updates that arrived in the period.</summary>
    public long Updates { get; set; }

    /// <summary>Faults counted in the period.</summary>
    public PeriodCounts Counts { get; set; }

    /// <summary>Log-ins retried since the end of the period before.</summary>
    public long LoginRetries { get; set; }

    /// <summary>CPU use of each thread, in percent of one core; null where the system does not report it.</summary>
    public List<double?> CpuPerThread { get; } = [];

    /// <summary>Sum of all samples, in microseconds.</summary>
    public long SumMicros { get; private set; }

    /// <summary>Minimum sample in microseconds; 0 without samples.</summary>
    public long MinMicros { get; private set; }

    /// <summary>Maximum sample in microseconds.</summary>
    public long MaxMicros { get; private set; }

    public long Count { get; private set; }

    /// <summary>Own posts that users received back, the sum of their latencies and the maximum, in microseconds.</summary>
    public long Posts { get; private set; }
    public long PostSumMicros { get; private set; }
    public long PostMaxMicros { get; private set; }

    /// <summary>The samples, by cells.</summary>
    public LongHistogram Latencies => _latencies;

    /// <summary>The mean in microseconds; 0 without samples.</summary>
    public double MeanMicros => Count == 0 ? 0 : (double)SumMicros / Count;

    /// <summary>Records a sample. Constant time.</summary>
    public void Record(long micros)
    {
        _latencies.RecordValue(micros);
        SumMicros += micros;
        MinMicros = Count == 0 ? micros : Math.Min(MinMicros, micros);
        MaxMicros = Math.Max(MaxMicros, micros);
        Count++;
    }

    /// <summary>Records a post that its user received back. Constant time.</summary>
    public void RecordPost(long micros)
    {
        Posts++;
        PostSumMicros += micros;
        PostMaxMicros = Math.Max(PostMaxMicros, micros);
    }

    /// <summary>Adds another period's figures, cell by cell.</summary>
    public void Add(Period other)
    {
        _latencies.Add(other._latencies);
        MinMicros = Count == 0 ? other.MinMicros : other.Count == 0 ? MinMicros : Math.Min(MinMicros, other.MinMicros);
        MaxMicros = Math.Max(MaxMicros, other.MaxMicros);
        SumMicros += other.SumMicros;
        Count += other.Count;
        UsersIn += other.UsersIn;
        Updates += other.Updates;
        Counts += other.Counts;
        LoginRetries += other.LoginRetries;
        Posts += other.Posts;
        PostSumMicros += other.PostSumMicros;
        PostMaxMicros = Math.Max(PostMaxMicros, other.PostMaxMicros);
        CpuPerThread.AddRange(other.CpuPerThread);
    }

    /// <summary>
    /// A percentile in microseconds, never above the maximum sample; null with fewer than ten samples beyond it, and above one hour.
    /// </summary>
    public long? PercentileMicros(double percentile) => (long?)_latencies.ReportedMicros(percentile, MaxMicros);
}
