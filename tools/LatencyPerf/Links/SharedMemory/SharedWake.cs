using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PerfCommon;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>Sleeps on a word of shared memory until another process changes it and wakes the sleepers.</summary>
/// <remarks>
/// The required order. The writer: the word, a full fence, then a check of the sleepers. The sleeper: the sleepers, a full fence, then
/// a check of the word. One of the two sees the other, so no wake-up is lost; a killed sleeper leaves a count too high, which causes
/// needless calls.
/// </remarks>
internal abstract class SharedWake : IDisposable
{
    /// <summary>Creates the kernel's futex on Linux; on Windows named events; elsewhere, and with PERFTOOLS_PORTABLE=1, doorbells.</summary>
    /// <param name="own">A path in a folder of this user that names the sleeper; it must be unique.</param>
    /// <param name="others">The paths of all sides that it wakes.</param>
    /// <exception cref="System.Net.Sockets.SocketException">No doorbell can be created.</exception>
    public static SharedWake Create(string own, IReadOnlyList<string> others)
    {
        if (OperatingSystem.IsWindows())
            return new NamedEventWake(own, others);
        bool isPortable = !FutexWake.IsAvailable || PortableWay.IsRequested;
        return isPortable ? new DoorbellWake(own, others) : new FutexWake();
    }

    /// <summary>Wakes all sides that sleep on a word that was just changed.</summary>
    public void WakeAll(ref uint word, ref uint sleepers)
    {
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref sleepers) != 0)
            Wake(ref word);
    }

    /// <summary>Sleeps while the word has a value.</summary>
    /// <param name="word">The word.</param>
    /// <param name="seen">Its value before the last check that found nothing.</param>
    /// <param name="sleepers">The count of sleeping sides.</param>
    /// <param name="limitNanos">The maximum sleep.</param>
    public void Sleep(ref uint word, uint seen, ref uint sleepers, long limitNanos)
    {
        Interlocked.Increment(ref sleepers); // a full fence
        if (Volatile.Read(ref word) == seen)
            Wait(ref word, seen, limitNanos);
        Interlocked.Decrement(ref sleepers);
    }

    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
    }

    /// <summary>Wakes the sleepers by the means of the system.</summary>
    protected abstract void Wake(ref uint word);

    /// <summary>Sleeps by the means of the system; may end without a reason.</summary>
    protected abstract void Wait(ref uint word, uint seen, long limitNanos);
}

/// <summary>Wakes by the futex of Linux: one call wakes all processes, and it belongs to no process that may die.</summary>
internal sealed unsafe partial class FutexWake : SharedWake
{
    private const int CallOnX64 = 202, CallOnArm64 = 98;
    private const int WaitOperation = 0, WakeOperation = 1; // not private: the word is shared between processes

    private static readonly nint Call = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? CallOnX64 : CallOnArm64;

    public static bool IsAvailable =>
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    protected override void Wake(ref uint word) =>
        _ = SystemCall(Call, (uint*)Unsafe.AsPointer(ref word), WakeOperation, int.MaxValue, null, null, 0);

    protected override void Wait(ref uint word, uint seen, long limitNanos)
    {
        (long seconds, long nanos) = Math.DivRem(Math.Max(0, limitNanos), Clock.NanosPerSecond);
        Span<long> limit = [seconds, nanos];
        fixed (long* first = limit)
            _ = SystemCall(Call, (uint*)Unsafe.AsPointer(ref word), WaitOperation, seen, first, null, 0);
    }

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SystemCall(nint number, uint* word, nint operation, nuint value, long* limit, uint* second, nint third);
}
