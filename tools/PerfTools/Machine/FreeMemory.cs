using System.Globalization;

namespace PerfTools.Machine;

/// <summary>Reads the memory available to programs that start now.</summary>
internal static class FreeMemory
{
    private const string MemoryFile = "/proc/meminfo";
    private const string Row = "MemAvailable:";
    private const long BytesPerUnit = 1_024;

    /// <summary>The available bytes; null where the system does not report them.</summary>
    public static long? Bytes => File.Exists(MemoryFile) ? Parse(File.ReadAllText(MemoryFile)) : null;

    // MemAvailable:    8024532 kB
    internal static long? Parse(string text)
    {
        string? row = text.Split('\n').FirstOrDefault(line => line.StartsWith(Row, StringComparison.Ordinal));
        return long.TryParse(row?[Row.Length..].Trim().Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out long units)
            ? units * BytesPerUnit : null;
    }
}
