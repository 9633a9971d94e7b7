namespace Tools.Tests;

/// <summary>What Linux says of the signals of a process.</summary>
internal static class ProcessSignals
{
    /// <summary>True for a signal that the process ignores: who started it in the background may have made it so.</summary>
    public static bool Ignores(int processId, int signal)
    {
        string mask = File.ReadLines($"/proc/{processId}/status").First(line => line.StartsWith("SigIgn", StringComparison.Ordinal));
        return (Convert.ToUInt64(mask.Split('\t')[1], 16) & (1UL << (signal - 1))) != 0;
    }
}
