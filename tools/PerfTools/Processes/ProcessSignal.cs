using System.Diagnostics;
using System.Runtime.InteropServices;

namespace PerfTools.Processes;

/// <summary>Asks another process to end; the framework itself can only kill.</summary>
internal static partial class ProcessSignal
{
    private const int Sigterm = 15;

    /// <summary>Sends SIGTERM; where there are no signals the process is killed.</summary>
    public static void Terminate(Process process)
    {
        if (OperatingSystem.IsWindows())
            process.Kill();
        else
            _ = Send(process.Id, Sigterm); // a process that is gone already is no failure
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Send(int processId, int signal);
}
