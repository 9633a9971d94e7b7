using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>
/// Ends a run in good order before the memory that the process may use is used up, while its results can still be written.
/// </summary>
/// <remarks>Main thread only. A heap or container limit counts, else the machine's memory; the use by other processes does not count.</remarks>
/// <param name="read">Reads memory and limits.</param>
/// <param name="collect">Frees unused memory; called before a run is ended for it.</param>
internal sealed class MemoryWatch(Func<MemoryUse> read, Action collect)
{
    private const long LookNanos = Clock.NanosPerSecond / 4;
    private const int ReserveBytes = 2 << 20; // each time: for ending the run, and for writing its results
    private const int MaxTries = 3;
    private const long SmallHeapBytes = 1L << 30; // the last tenth of a larger one is reserve enough

    private long _nextLookNanos;
    private bool _isExhausted; // no more memory could be freed
    private readonly Stack<byte[]> _reserves = read().MaxHeap < SmallHeapBytes ? new([new byte[ReserveBytes], new byte[ReserveBytes]]) : []; // never touched

    /// <summary>True once memory was short.</summary>
    public bool HasMadeRoom { get; private set; }

    public MemoryWatch()
        : this(MemoryUse.Read, GC.Collect)
    {
    }

    /// <summary>Returns the outcome of a run that uses nine tenths of the memory; null while it does not.</summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="relief">Frees memory before, once much is in use; null for nothing.</param>
    public RunOutcome? FindEnd(long nowNanos, IMemoryRelief? relief = null)
    {
        if (nowNanos < _nextLookNanos && relief is not { IsWanted: true })
            return null;
        _nextLookNanos = nowNanos + LookNanos;
        MemoryUse use = read();
        if (!use.IsMuch)
            return Relieve(relief, hasRoom: true);
        if (!use.IsNearlyAll && (relief is null || (_isExhausted && !relief.IsWanted)))
            return null;
        collect();
        use = read();
        if (!use.IsMuch)
            return Relieve(relief, hasRoom: true);
        if (relief?.TryMakeRoom(nowNanos) == true)
            return null;
        Relieve(relief, hasRoom: false);
        if (!use.IsNearlyAll)
            return null;
        MakeRoom();
        return new RunOutcome(ExitCode.Incomplete, use.Describe());
    }

    private RunOutcome? Relieve(IMemoryRelief? relief, bool hasRoom)
    {
        _isExhausted = !hasRoom;
        relief?.End(hasRoom);
        return null;
    }

    /// <summary>Does a step again when memory was short for it: each step leaves completed work intact.</summary>
    public void Try(Action step)
    {
        for (int left = MaxTries; ; left--)
        {
            try
            {
                step();
                return;
            }
            catch (Exception defect) when (RunDefect.IsOfMemory(defect) && left > 1)
            {
                MakeRoom();
            }
        }
    }

    /// <summary>Frees the reserve for the results of a run that ends for lack of memory.</summary>
    public void MakeRoom()
    {
        HasMadeRoom = true;
        if (_reserves.Count > 0)
            _reserves.Pop();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}

/// <summary>Memory of the process and its limits, in bytes.</summary>
/// <param name="Heap">Bytes of the managed heap, garbage included.</param>
/// <param name="MaxHeap">Limit of the heap.</param>
/// <param name="WorkingSet">Bytes in physical memory.</param>
/// <param name="MaxWorkingSet">Nine tenths of the machine's or the container's memory.</param>
internal readonly record struct MemoryUse(long Heap, long MaxHeap, long WorkingSet, long MaxWorkingSet)
{
    private const double Nearly = 0.9;
    private const double Much = 0.85;
    private const double BytesPerMegabyte = 1_048_576;

    /// <summary>True when so large a part is in use that the role should free memory.</summary>
    public bool IsMuch => Heap >= Much * MaxHeap || WorkingSet >= Much / Nearly * MaxWorkingSet;

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
