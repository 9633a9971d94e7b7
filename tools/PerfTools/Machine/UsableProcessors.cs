using System.Globalization;

namespace PerfTools.Machine;

/// <summary>Finds the processors that this process and its children may use, by their numbers, as options name them.</summary>
internal static class UsableProcessors
{
    private const string StatusFile = "/proc/self/status";
    private const string ListName = "Cpus_allowed_list:";

    /// <summary>Finds the processors of this process; on systems that report no numbers, those from 0 up to the runtime's count.</summary>
    public static IReadOnlyList<int> Find() =>
        ReadList() ?? [.. Enumerable.Range(0, Environment.ProcessorCount)];

    /// <summary>Parses a list such as <c>0-3,8,10-11</c>; null for other text.</summary>
    public static IReadOnlyList<int>? TryParse(string text)
    {
        List<int> processors = [];
        foreach (string part in text.Split(','))
        {
            int[] ends = [.. part.Split('-').Select(end =>
                int.TryParse(end.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : -1)];
            if (ends.Contains(-1) || ends.Length > 2 || ends[^1] < ends[0])
                return null;
            processors.AddRange(Enumerable.Range(ends[0], ends[^1] - ends[0] + 1));
        }

        return processors;
    }

    private static IReadOnlyList<int>? ReadList()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        try
        {
            return File.ReadLines(StatusFile).FirstOrDefault(line => line.StartsWith(ListName, StringComparison.Ordinal)) is { } line
                ? TryParse(line[ListName.Length..]) : null;
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
