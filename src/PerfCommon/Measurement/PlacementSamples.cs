using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace PerfCommon.Measurement;

/// <summary>Samples the processor of a thread, at most once a millisecond and by that thread, and reads how long it waited for one.</summary>
/// <remarks>Its thread writes, any thread reads. Sampled while the thread runs: a sleeping thread is on no processor.</remarks>
internal sealed class PlacementSamples : IDisposable
{
    private const long PeriodNanos = Clock.NanosPerMilli;
    private const int MaxProcessors = 1_024;
    private const int MaxLineBytes = 128;
    private const string ScheduleFile = "/proc/thread-self/schedstat";

    private readonly int[] _samples = new int[MaxProcessors];
    private SafeFileHandle? _schedule; // of the thread that opened it; null where the system does not report it
    private int _processor = -1;
    private int _changes;
    private long _nextNanos = long.MinValue;
    private long? _waitNanos; // as last read; belongs to the reader

    /// <summary>Samples the processor when a sample is due. Owning thread only, once a turn: one comparison when none is due.</summary>
    public void Record(long nowNanos)
    {
        if (nowNanos >= _nextNanos)
            RecordProcessor(nowNanos);
    }

    /// <summary>Returns the counts so far. Main thread only.</summary>
    public PlacementCounts Read()
    {
        Dictionary<int, long> samples = [];
        for (int i = 0; i < _samples.Length; i++)
        {
            if (Volatile.Read(ref _samples[i]) is > 0 and int count)
                samples[i] = count;
        }

        return new(samples, Volatile.Read(ref _changes), ReadWaitNanos());
    }

    /// <summary>Closes the file; call it after the thread has ended, or when it never started.</summary>
    public void Dispose() => Interlocked.Exchange(ref _schedule, null)?.Dispose();

    private void RecordProcessor(long nowNanos)
    {
        if (_nextNanos == long.MinValue && OperatingSystem.IsLinux() && !PortableWay.IsRequested)
            Volatile.Write(ref _schedule, TryOpen());
        _nextNanos = nowNanos + PeriodNanos;
        int processor = Thread.GetCurrentProcessorId();
        if ((uint)processor >= MaxProcessors)
            return;
        if (processor != _processor && _processor >= 0)
            Volatile.Write(ref _changes, _changes + 1);
        _processor = processor;
        Volatile.Write(ref _samples[processor], _samples[processor] + 1);
    }

    private static SafeFileHandle? TryOpen()
    {
        try
        {
            return File.OpenHandle(ScheduleFile);
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null; // the kernel lacks the file, or no file descriptor is free
        }
    }

    // schedstat: nanoseconds on a processor | nanoseconds ready and without one | time slices
    private long? ReadWaitNanos()
    {
        if (Volatile.Read(ref _schedule) is not { } schedule)
            return _waitNanos;
        try
        {
            Span<byte> line = stackalloc byte[MaxLineBytes];
            line = line[..RandomAccess.Read(schedule, line, 0)];
            int second = line.IndexOf((byte)' ') + 1;
            if (Utf8Parser.TryParse(line[second..], out long nanos, out _))
                _waitNanos = nanos;
        }
        catch (Exception cause) when (cause is IOException or ObjectDisposedException)
        {
            // the thread has ended: the last reading remains valid
        }

        return _waitNanos;
    }
}

/// <summary>Counts of processor samples, of one thread or of several.</summary>
/// <param name="Samples">How often each processor was sampled; processors with no sample are absent.</param>
/// <param name="Changes">How often a sample's processor differed from that of the sample before.</param>
/// <param name="WaitNanos">Time in which a thread was ready to run and had no processor; null where the system does not report it.</param>
internal sealed record PlacementCounts(IReadOnlyDictionary<int, long> Samples, long Changes, long? WaitNanos)
{
    /// <summary>No samples.</summary>
    public static PlacementCounts None { get; } = new(new Dictionary<int, long>(), 0, 0);

    public long Count => Samples.Values.Sum();

    /// <summary>The share of each processor in the samples, in percent, the largest first.</summary>
    public IEnumerable<(int Processor, double Percent)> Parts =>
        from sample in Samples where sample.Value > 0 orderby sample.Value descending, sample.Key select (sample.Key, 100.0 * sample.Value / Count);

    public static PlacementCounts operator +(PlacementCounts a, PlacementCounts b) => Join(a, b, 1);

    /// <summary>Returns the counts of the time between two readings.</summary>
    public static PlacementCounts operator -(PlacementCounts later, PlacementCounts earlier) => Join(later, earlier, -1);

    private static PlacementCounts Join(PlacementCounts a, PlacementCounts b, int sign) => new(
        a.Samples.Keys.Union(b.Samples.Keys).ToDictionary(
            processor => processor,
            processor => a.Samples.GetValueOrDefault(processor) + (sign * b.Samples.GetValueOrDefault(processor))),
        a.Changes + (sign * b.Changes), a.WaitNanos + (sign * b.WaitNanos));
}
