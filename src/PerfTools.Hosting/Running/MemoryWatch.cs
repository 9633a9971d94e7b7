using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Ends a run in good order before the memory that the process may use is used up, while its results can still be written.
/// </summary>
/// <remarks>Main thread only. A heap or container limit counts, else the machine's memory; what others use of that does not.</remarks>
/// <param name="read">Reads memory and limits.</param>
/// <param name="collect">Frees what is not used any more; asked before a run is ended for it.</param>
internal sealed class MemoryWatch(Func<MemoryUse> read, Action collect)
{
    private const long LookNanos = Clock.NanosPerSecond / 4;
    private const int ReserveBytes = 4 << 20;
    private const long SmallHeapBytes = 1L << 30; // the last tenth of a larger one is reserve enough

    private long _nextLookNanos;
    private byte[]? _reserve = read().MaxHeap < SmallHeapBytes ? new byte[ReserveBytes] : null; // never touched

    public MemoryWatch()
        : this(MemoryUse.Read, GC.Collect)
    {
    }

    /// <summary>How the run ends when nine tenths of the memory are in use; null while they are not.</summary>
    public RunOutcome? FindEnd(long nowNanos)
    {
        if (nowNanos < _nextLookNanos)
            return null;
        _nextLookNanos = nowNanos + LookNanos;
        if (!read().IsNearlyAll)
            return null;
        collect();
        if (read() is not { IsNearlyAll: true } use)
            return null;
        MakeRoom();
        return new RunOutcome(ExitCode.Incomplete, use.Describe());
    }

    /// <summary>Makes room for the results of a run that ends because there is none.</summary>
    public void MakeRoom()
    {
        GC.KeepAlive(_reserve);
        _reserve = null;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}

/// <summary>Memory of the process beside what it may use, in bytes.</summary>
/// <param name="Heap">Of the managed heap, garbage included.</param>
/// <param name="MaxHeap">What that may come to.</param>
/// <param name="WorkingSet">In physical memory.</param>
/// <param name="MaxWorkingSet">Nine tenths of the machine's or the container's memory.</param>
internal readonly record struct MemoryUse(long Heap, long MaxHeap, long WorkingSet, long MaxWorkingSet)
{
    private const double Nearly = 0.9;
    private const double BytesPerMegabyte = 1_048_576;

    private bool IsHeapNearlyFull => Heap >= Nearly * MaxHeap;

    public bool IsNearlyAll => IsHeapNearlyFull || WorkingSet >= MaxWorkingSet;

    public static MemoryUse Read()
    {
        GCMemoryInfo limits = GC.GetGCMemoryInfo();
        return new(GC.GetTotalMemory(forceFullCollection: false), limits.TotalAvailableMemoryBytes, Environment.WorkingSet,
            limits.HighMemoryLoadThresholdBytes);
    }

    public string Describe() =>
        IsHeapNearlyFull ? Text("the managed heap", Heap, MaxHeap) : Text("the working set", WorkingSet, MaxWorkingSet / Nearly);

    private static string Text(string what, long used, double limit) => string.Create(
        CultureInfo.InvariantCulture,
        $"memory is nearly used up: {what} has {used / BytesPerMegabyte:F0} MB of {limit / BytesPerMegabyte:F0} MB");
}
