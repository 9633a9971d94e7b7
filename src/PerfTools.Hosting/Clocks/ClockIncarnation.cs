using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Clocks;

/// <summary>The identity of a program's clock: a number shared by programs with the same clock, and a count of its host's suspensions.</summary>
/// <remarks>
/// Programs of one boot of one machine and of one time namespace have one CLOCK_MONOTONIC. The number is made with the key, so that others learn
/// nothing about the host. One thread.
/// </remarks>
internal sealed class ClockIncarnation
{
    private const string BootFile = "/proc/sys/kernel/random/boot_id";
    private const string NamespaceFile = "/proc/self/ns/time";
    private const int MaxBootBytes = 100;
    private const ulong SuspendBits = 0xFFFF;
    private const long SuspendNanos = Clock.NanosPerSecond / 10;

    private readonly ulong _clock;
    private readonly Func<long> _suspendedNanos;
    private long _lastSuspended;
    private ulong _suspends;

    public ClockIncarnation(byte[] key)
        : this(Hash(key, FindName()), () => SuspendedTime.Nanos)
    {
    }

    /// <param name="clock">Names the clock.</param>
    /// <param name="suspendedNanos">Time for which its host was suspended, since some point.</param>
    internal ClockIncarnation(ulong clock, Func<long> suspendedNanos) =>
        (_clock, _suspendedNanos, _lastSuspended) = (clock & ~SuspendBits, suspendedNanos, suspendedNanos());

    /// <summary>The present number; it changes when the host was suspended.</summary>
    public ulong Current
    {
        get
        {
            long suspended = _suspendedNanos();
            if (suspended - _lastSuspended > SuspendNanos)
                (_lastSuspended, _suspends) = (suspended, _suspends + 1);
            return _clock | (_suspends & SuspendBits);
        }
    }

    /// <summary>Names the clock of this program: the same text for programs with the same clock and the same salt.</summary>
    /// <param name="salt">Known to those who compare.</param>
    public static string Identify(string salt) => Hash(Encoding.UTF8.GetBytes(salt), FindName()).ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>True when both numbers are of the same clock.</summary>
    public static bool AreOneClock(ulong one, ulong other) => (one & ~SuspendBits) == (other & ~SuspendBits);

    // Where the system has no such names, no two programs are assumed to share a clock.
    private static string FindName()
    {
        try
        {
            string boot = LimitedFile.ReadText(BootFile, MaxBootBytes);
            return $"{boot} {new FileInfo(NamespaceFile).LinkTarget}";
        }
        catch (Exception failure) when (FileErrors.IsMeantBy(failure))
        {
            return Guid.NewGuid().ToString();
        }
    }

    private static ulong Hash(byte[] key, string name) =>
        BinaryPrimitives.ReadUInt64LittleEndian(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(name)));
}
