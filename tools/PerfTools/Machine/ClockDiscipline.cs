using System.Runtime.InteropServices;

namespace PerfTools.Machine;

/// <summary>
/// Reads what the kernel says of the wall clock: whether a program of NTP or PTP corrects it, and how exactly (Linux's adjtimex, which needs no
/// privilege to read).
/// </summary>
internal static partial class ClockDiscipline
{
    // STA_UNSYNC, and the result for a clock that is not synchronized, TIME_ERROR
    private const int Unsynchronized = 0x40;
    private const int ErrorResult = 5;

    /// <summary>Reads it; null where the system does not report it.</summary>
    public static WallClockState? Read()
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            return null;
        TimeX read = default; // no modes: nothing is changed
        return Parse(AdjustTime(ref read), read.Status, read.MaxErrorMicros, read.EstimatedErrorMicros);
    }

    /// <summary>Interprets the result of the call.</summary>
    /// <param name="result">Its result; below 0 where it is not permitted.</param>
    /// <param name="status">The status of the clock, as bits.</param>
    /// <param name="maxErrorMicros">Its maximum error; without a meaning where it is not synchronized.</param>
    /// <param name="estimatedErrorMicros">Its estimated error; the same.</param>
    public static WallClockState? Parse(int result, int status, long maxErrorMicros, long estimatedErrorMicros) =>
        result < 0 ? null
        : result == ErrorResult || (status & Unsynchronized) != 0 ? new(false, null, null) : new(true, maxErrorMicros, estimatedErrorMicros);

    [LibraryImport("libc", EntryPoint = "adjtimex")]
    private static partial int AdjustTime(ref TimeX time);

    // struct timex of 64-bit Linux, 208 bytes
    [StructLayout(LayoutKind.Sequential, Size = 256)]
    private struct TimeX
    {
        public uint Modes;
        public long Offset;
        public long Frequency;
        public long MaxErrorMicros;
        public long EstimatedErrorMicros;
        public int Status;
    }
}

/// <summary>The state of the wall clock by the kernel.</summary>
/// <param name="IsSynchronized">True when a program of NTP or PTP corrects it.</param>
/// <param name="MaxErrorMicros">The maximum error that the program states; null for none.</param>
/// <param name="EstimatedErrorMicros">The error that it expects; null for none.</param>
internal sealed record WallClockState(bool IsSynchronized, double? MaxErrorMicros, double? EstimatedErrorMicros);
