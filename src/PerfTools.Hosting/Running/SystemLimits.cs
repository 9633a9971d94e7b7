using System.Globalization;
using PerfCommon;

namespace PerfTools.Hosting.Running;

/// <summary>The system's limits for a process; null where it does not report them.</summary>
internal static class SystemLimits
{
    /// <summary>Open files of a process in addition to its connections: assemblies, outputs and pollers, about 100 while it runs.</summary>
    public const int OtherFiles = 128;

    private const string Limits = "/proc/self/limits";
    private const string PortRange = "/proc/sys/net/ipv4/ip_local_port_range";
    private const string FilesLine = "Max open files";

    /// <summary>Open files, the hard limit: the runtime raises the soft one to it.</summary>
    public static long? MaxFiles => OperatingSystem.IsLinux() ? ReadMaxFiles(TryRead(Limits)) : null;

    /// <summary>Number of local ports for connections to one address.</summary>
    public static int? LocalPorts => OperatingSystem.IsLinux() ? ReadLocalPorts(TryRead(PortRange)) : null;

    /// <summary>Refuses a start for which the system allows too few files.</summary>
    /// <param name="demanded">Required files; null for none.</param>
    /// <param name="maxFiles">Allowed files; null where the number is not known.</param>
    /// <exception cref="SetupException">There are fewer (exit code 4).</exception>
    public static void Demand(int? demanded, long? maxFiles)
    {
        if (demanded > maxFiles)
        {
            throw new SetupException(SetupProblem.NotStarted,
                string.Create(CultureInfo.InvariantCulture, $"-maxFiles {demanded}: {DescribeFiles(maxFiles)}"));
        }
    }

    /// <summary>Describes the limit of files, and how to raise it: the end of a sentence.</summary>
    public static string DescribeFiles(long? maxFiles) =>
        string.Create(CultureInfo.InvariantCulture, $"the system allows {maxFiles}: raise ulimit -n (LimitNOFILE of a service)");

    // Max open files            20000                524288               files
    internal static long? ReadMaxFiles(string text)
    {
        string? line = text.Split('\n').FirstOrDefault(line => line.StartsWith(FilesLine, StringComparison.Ordinal));
        string[] words = line?[FilesLine.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return words.Length > 1 && long.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out long hard) ? hard : null;
    }

    // 32768	60999
    internal static int? ReadLocalPorts(string text)
    {
        int?[] ends = [.. text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Select(word => int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int port) ? port : (int?)null)];
        return ends is [{ } first, { } last] ? last - first + 1 : null;
    }

    private static string TryRead(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception cause) when (FileErrors.IsMeantBy(cause))
        {
            return "";
        }
    }
}
