using System.Collections;
using System.Globalization;

namespace PerfTools.Machine;

/// <summary>Reads facts of the system from files and variables; null where they do not exist, as on systems other than Linux.</summary>
internal static class SystemFacts
{
    private const double BytesPerMegabyte = 1_048_576;

    // Where a control group has no limit, an old system reports the largest number there is, in pages.
    private const double UnlimitedBytes = 1e18;
    private const string NoLimit = "max";

    private static readonly string[] ContainerMarks = ["/.dockerenv", "/run/.containerenv"];

    // The variables that change code or garbage collection; the runtime's path and the command line's settings do not.
    private static readonly string[] SwitchPrefixes =
        ["DOTNET_Tiered", "DOTNET_TC_", "DOTNET_ReadyToRun", "DOTNET_GC", "DOTNET_gc", "DOTNET_Thread", "DOTNET_PROCESSOR_COUNT",
            "DOTNET_Enable", "DOTNET_JIT", "DOTNET_Jit"];

    public static string? Kernel { get; } = Read("/proc/sys/kernel/osrelease") ?? Environment.OSVersion.Version.ToString();

    public static string? Governor { get; } = Read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");

    public static string? ClockSource { get; } = Read("/sys/devices/system/clocksource/clocksource0/current_clocksource");

    public static double? CgroupProcessors { get; } = ParseQuota(Read("/sys/fs/cgroup/cpu.max"))
        ?? ParseQuota($"{Read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")} {Read("/sys/fs/cgroup/cpu/cpu.cfs_period_us")}");

    public static double? CgroupMemoryMegabytes { get; } = ParseBytes(Read("/sys/fs/cgroup/memory.max")
        ?? Read("/sys/fs/cgroup/memory/memory.limit_in_bytes"));

    public static bool IsContainer { get; } =
        Array.Exists(ContainerMarks, File.Exists) || Environment.GetEnvironmentVariable("DOTNET_RUNNING_IN_CONTAINER") is "true" or "1"
        || Environment.GetEnvironmentVariable("KUBERNETES_SERVICE_HOST") is not null;

    public static IReadOnlyDictionary<string, string> RuntimeSwitches { get; } = FindSwitches(Environment.GetEnvironmentVariables());

    /// <summary>Parses a quota and its period, both in microseconds, as a number of processors; null for none.</summary>
    public static double? ParseQuota(string? text) =>
        text?.Split(' ') is [var quota, var period] && TryParse(quota, out double used) && TryParse(period, out double of) && used > 0
            && of > 0 ? used / of : null;

    /// <summary>Parses a number of bytes as units of 1,048,576; null for none.</summary>
    public static double? ParseBytes(string? text) =>
        text != NoLimit && TryParse(text, out double bytes) && bytes < UnlimitedBytes ? bytes / BytesPerMegabyte : null;

    /// <summary>Finds the variables that change how the runtime works, by name.</summary>
    public static IReadOnlyDictionary<string, string> FindSwitches(IDictionary variables) => variables.Cast<DictionaryEntry>()
        .Select(entry => (Name: (string)entry.Key, Value: (string?)entry.Value ?? ""))
        .Where(entry => Array.Exists(SwitchPrefixes, prefix => entry.Name.StartsWith(prefix, StringComparison.Ordinal)))
        .OrderBy(entry => entry.Name, StringComparer.Ordinal).ToDictionary(entry => entry.Name, entry => entry.Value);

    private static bool TryParse(string? text, out double value) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value);

    private static string? Read(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllText(path).Trim() : null;
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
