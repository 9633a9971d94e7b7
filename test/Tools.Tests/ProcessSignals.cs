using System.Globalization;
using System.Runtime.InteropServices;

namespace Tools.Tests;

/// <summary>
/// Shells ignore SIGINT for a command before <c>&amp;</c>, nohup ignores SIGHUP, and a child inherits that: the tests restore the
/// default action of both, so that the programs they start receive them.
/// </summary>
internal static partial class ProcessSignals
{
    private static readonly int[] Inherited = [1, 2]; // SIGHUP, SIGINT

    public static void TakeBack()
    {
        if (!OperatingSystem.IsLinux())
            return;
        foreach (int signal in Inherited.Where(signal => Ignores("self", signal)))
            SetAction(signal, action: 0);
    }

    /// <summary>True for a signal that the process ignores.</summary>
    public static bool Ignores(int processId, int signal) => Ignores(processId.ToString(CultureInfo.InvariantCulture), signal);

    private static bool Ignores(string process, int signal)
    {
        string mask = File.ReadLines($"/proc/{process}/status").First(line => line.StartsWith("SigIgn", StringComparison.Ordinal));
        return (Convert.ToUInt64(mask.Split('\t')[1], 16) & (1UL << (signal - 1))) != 0;
    }

    [LibraryImport("libc", EntryPoint = "signal")]
    private static partial nint SetAction(int signal, nint action);
}
