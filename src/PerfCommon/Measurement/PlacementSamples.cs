using System.Buffers.Text;
using Microsoft.Win32.SafeHandles;

namespace PerfCommon.Measurement;

/// <summary>On which processors one thread runs, sampled by itself at most once a millisecond, and how long it waited for one.</summary>
/// <remarks>Its thread writes, any thread reads. Sampled while the thread runs: what sleeps is on no processor.</remarks>
internal sealed class PlacementSamples : IDisposable
{
    private const long PeriodNanos = Clock.NanosPerMilli;
    private const int MaxProcessors = 1_024;
    private const int MaxLineBytes = 128;
    private const string ScheduleFile = "/proc/thread-self/schedstat";

    private readonly int[] _samples = new int[MaxProcessors];
    private SafeFileHandle? _schedule; // of the thread that opened it; null where the system does not tell
    private int _processor = -1;
    private int _changes;
    private long _nextNanos = long.MinValue;
    private long? _waitNanos; // as last read; the reader's

    /// <summary>Samples the processor when it is time to. Owning thread only, once a turn: a comparison when it is not.</summary>
    public void Record(long nowNanos)
    {
        if (nowNanos >= _nextNanos)
            RecordProcessor(nowNanos);
    }

    /// <summary>What was seen so far. Main thread only.</summary>
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

    /// <summary>After the thread has ended, or without it.</summary>
    public void Dispose() => Interlocked.Exchange(ref _schedule, null)?.Dispose();

    private void RecordProcessor(long nowNanos)
    {
        if (_nextNanos == long.MinValue && OperatingSystem.IsLinux() && !PortableWay.IsAsked)
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
            return null; // a kernel without it, or no more files
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
            // the thread has ended: what was read last stands
        }

        return _waitNanos;
    }
}

/// <summary>Samples of processors, of one thread or of several.</summary>
/// <param name="Samples">How often each processor was seen; those that never were are absent.</param>
/// <param name="Changes">How often a thread was seen on another processor than the sample before.</param>
/// <param name="WaitNanos">Time in which a thread was ready to run and had no processor; null where the system does not tell.</param>
internal sealed record PlacementCounts(IReadOnlyDictionary<int, long> Samples, long Changes, long? WaitNanos)
{
    /// <summary>Nothing seen.</summary>
    public static PlacementCounts None { get; } = new(new Dictionary<int, long>(), 0, 0);

    public long Count => Samples.Values.Sum();

    /// <summary>The part of each processor in the samples, in percent, the largest first.</summary>
    public IEnumerable<(int Processor, double Percent)> Parts =>
        from sample in Samples where sample.Value > 0 orderby sample.Value descending, sample.Key select (sample.Key, 100.0 * sample.Value / Count);

    public static PlacementCounts operator +(PlacementCounts a, PlacementCounts b) => Join(a, b, 1);

    /// <summary>What was seen after an earlier reading.</summary>
    public static PlacementCounts operator -(PlacementCounts later, PlacementCounts earlier) => Join(later, earlier, -1);

    private static PlacementCounts Join(PlacementCounts a, PlacementCounts b, int sign) => new(
        a.Samples.Keys.Union(b.Samples.Keys).ToDictionary(
            processor => processor,
            processor => a.Samples.GetValueOrDefault(processor) + (sign * b.Samples.GetValueOrDefault(processor))),
        a.Changes + (sign * b.Changes), a.WaitNanos + (sign * b.WaitNanos));
}
