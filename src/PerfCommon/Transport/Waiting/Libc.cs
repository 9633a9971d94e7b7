using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PerfCommon.Measurement;

[assembly: DisableRuntimeMarshalling]

namespace PerfCommon.Transport;

/// <summary>The Linux system calls for waiting, sending and receiving; the one unsafe file of Transport.</summary>
internal static unsafe partial class Libc
{
    public const short PollIn = 0x001;
    public const short PollOut = 0x004;
    public const short PollError = 0x008;
    public const short PollHangUp = 0x010;

    public const int EpollAdd = 1;
    public const int EpollDelete = 2;
    public const int EpollModify = 3;

    public const int CloseOnExec = 0x80000;

    public const int Interrupted = 4;
    public const int TryAgain = 11;
    public const int NoBuffers = 105;

    // Numbers of sendto and recvfrom. The library's own functions may be cancelled by another thread, and check before and after each call
    // whether they were; 0 where the numbers are unknown, and the library's functions are called.
    private static readonly nint SendNumber = NumberOf(x64: 44, arm64: 206);
    private static readonly nint ReceiveNumber = NumberOf(x64: 45, arm64: 207);

    private const int NoSignal = 0x4000;
    private const int SetTimerSlack = 29;
    private const int NonBlocking = 0x800;

    [StructLayout(LayoutKind.Sequential)]
    public struct PollEntry
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanos;
    }

    /// <summary>Waits for descriptors and writes the events into their entries.</summary>
    /// <param name="entries">The descriptors and the events to wait for.</param>
    /// <param name="timeoutNanos">Longest wait; 0 does not wait.</param>
    /// <returns>Number of entries with events; negative for a signal or an error.</returns>
    public static int Poll(Span<PollEntry> entries, long timeoutNanos)
    {
        (long seconds, long nanos) = Math.DivRem(timeoutNanos, Clock.NanosPerSecond);
        TimeSpec timeout = new() { Seconds = (nint)seconds, Nanos = (nint)nanos };
        fixed (PollEntry* first = entries)
            return PollCall(first, (nuint)entries.Length, &timeout, null);
    }

    /// <summary>Receives the bytes that have arrived at a connected non-blocking socket.</summary>
    /// <returns>Bytes received; 0 at the end of the stream; negative with the reason in <see cref="LastError"/>.</returns>
    public static int Receive(int descriptor, Span<byte> room)
    {
        fixed (byte* first = room)
        {
            return (int)(ReceiveNumber == 0
                ? ReceiveCall(descriptor, first, (nuint)room.Length, 0)
                : SystemCall(ReceiveNumber, descriptor, first, (nuint)room.Length, 0, null, null));
        }
    }

    /// <summary>Sends bytes over a connected non-blocking socket.</summary>
    /// <returns>Bytes that it accepted; negative with the reason in <see cref="LastError"/>.</returns>
    public static int Send(int descriptor, ReadOnlySpan<byte> bytes)
    {
        fixed (byte* first = bytes)
        {
            return (int)(SendNumber == 0
                ? SendCall(descriptor, first, (nuint)bytes.Length, NoSignal)
                : SystemCall(SendNumber, descriptor, first, (nuint)bytes.Length, NoSignal, null, null));
        }
    }

    /// <summary>Returns the error of the last call; read it at once, as generated code would do after every call.</summary>
    public static int LastError() => Marshal.GetLastSystemError();

    /// <summary>Makes the calling thread's waits end within a nanosecond of their time instead of 50 microseconds.</summary>
    public static void SharpenTimer() => _ = ControlProcess(SetTimerSlack, 1, 0, 0, 0);

    /// <summary>Creates a descriptor that other threads can make readable; negative on failure.</summary>
    public static int CreateEvent() => EventDescriptor(0, NonBlocking | CloseOnExec);

    public static void SetEvent(int descriptor)
    {
        ulong one = 1;
        _ = Write(descriptor, &one, sizeof(ulong));
    }

    public static void ResetEvent(int descriptor)
    {
        ulong count;
        _ = Read(descriptor, &count, sizeof(ulong));
    }

    public static int Control(int epoll, int operation, int descriptor, uint events, int data)
    {
        // struct epoll_event is packed on x64 only: events u32, then 8 bytes of data at 4 or 8
        byte* entry = stackalloc byte[16];
        *(uint*)entry = events;
        *(long*)(entry + EpollDataOffset) = data;
        return EpollControl(epoll, operation, descriptor, entry);
    }

    /// <summary>Reads the descriptors that are ready, without waiting.</summary>
    public static int ReadReady(int epoll, Span<(int Data, uint Events)> ready)
    {
        byte* entries = stackalloc byte[ready.Length * EpollEntryBytes];
        int count = Math.Max(0, EpollWait(epoll, entries, ready.Length, 0));
        for (int i = 0; i < count; i++)
        {
            byte* entry = entries + i * EpollEntryBytes;
            ready[i] = ((int)*(long*)(entry + EpollDataOffset), *(uint*)entry);
        }

        return count;
    }

    private static int EpollDataOffset => RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8;

    private static int EpollEntryBytes => EpollDataOffset + 8;

    private static nint NumberOf(nint x64, nint arm64) => RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => x64,
        Architecture.Arm64 => arm64,
        _ => 0,
    };

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint SystemCall(nint number, nint descriptor, byte* bytes, nuint count, nint flags, void* address, void* length);

    [LibraryImport("libc", EntryPoint = "ppoll")]
    private static partial int PollCall(PollEntry* entries, nuint count, TimeSpec* timeout, void* mask);

    [LibraryImport("libc", EntryPoint = "recv")]
    private static partial nint ReceiveCall(int descriptor, byte* room, nuint count, int flags);

    [LibraryImport("libc", EntryPoint = "send")]
    private static partial nint SendCall(int descriptor, byte* bytes, nuint count, int flags);

    [LibraryImport("libc", EntryPoint = "prctl")]
    private static partial int ControlProcess(int option, nuint value, nuint third, nuint fourth, nuint fifth);

    [LibraryImport("libc", EntryPoint = "eventfd")]
    private static partial int EventDescriptor(uint start, int flags);

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(int descriptor, void* bytes, nuint count);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(int descriptor, void* bytes, nuint count);

    [LibraryImport("libc", EntryPoint = "close")]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "epoll_create1")]
    public static partial int CreateEpoll(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl")]
    private static partial int EpollControl(int epoll, int operation, int descriptor, void* entry);

    [LibraryImport("libc", EntryPoint = "epoll_wait")]
    private static partial int EpollWait(int epoll, void* entries, int most, int timeoutMillis);
}
