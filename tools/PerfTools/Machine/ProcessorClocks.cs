using System.Globalization;

namespace PerfTools.Machine;

/// <summary>The clocks and the heat events of the processors at one moment; null where the system does not report them.</summary>
/// <param name="Megahertz">The mean clock of all processors.</param>
/// <param name="Throttled">The number of times they were slowed down for heat since the system started, cores and packages together.</param>
internal readonly record struct ClockReading(double? Megahertz, long? Throttled);

/// <summary>Reads clocks and heat of the processors (<c>/sys/devices/system/cpu</c>, Linux only; many guests have none).</summary>
/// <param name="root">The root of the system's file tree.</param>
internal sealed class ProcessorClocks(string root)
{
    private const string Processors = "sys/devices/system/cpu";
    private const string Clock = "cpufreq/scaling_cur_freq";
    private const double KilohertzPerMegahertz = 1_000;
    private static readonly string[] ThrottleCounts = ["thermal_throttle/core_throttle_count", "thermal_throttle/package_throttle_count"];

    private readonly string[] _processors = Find(Path.Combine(root, Processors));

    /// <summary>The clocks of this machine.</summary>
    public static ProcessorClocks OfThis { get; } = new("/");

    /// <summary>Reads clocks and heat now.</summary>
    public ClockReading Read()
    {
        long[] clocks = [.. ReadAll(Clock)], counts = [.. ThrottleCounts.SelectMany(ReadAll)];
        return new(clocks.Length > 0 ? clocks.Average() / KilohertzPerMegahertz : null, counts.Length > 0 ? counts.Sum() : null);
    }

    private IEnumerable<long> ReadAll(string name) => _processors.Select(folder => TryRead(Path.Combine(folder, name))).OfType<long>();

    // cpu0, cpu1 and so on; cpufreq and cpuidle are no processors.
    private static string[] Find(string folder)
    {
        try
        {
            return Directory.Exists(folder) ? [.. Directory.GetDirectories(folder, "cpu*").Where(path => Path.GetFileName(path)[3..] is { Length: > 0 } number
                && number.All(char.IsAsciiDigit))] : [];
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static long? TryRead(string path)
    {
        try
        {
            return File.Exists(path) && long.TryParse(File.ReadAllText(path).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out long value)
                ? value : null;
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
