using System.Globalization;

namespace PerfTools.Machine;

/// <summary>
/// The pages that the machine has moved between memory and disk for want of memory since it started (<c>/proc/vmstat</c>, Linux only).
/// </summary>
/// <param name="Pages">Pages, in both directions.</param>
internal readonly record struct SwapUse(long Pages)
{
    private const double BytesPerMegabyte = 1_048_576;
    private const string StatFile = "/proc/vmstat";
    private static readonly string[] Rows = ["pswpin ", "pswpout "];

    /// <summary>Reads the number now; null where the system has no such file.</summary>
    public static SwapUse? ReadNow() => OperatingSystem.IsLinux() && File.Exists(StatFile) ? Parse(File.ReadAllText(StatFile)) : null;

    /// <summary>Parses the file's text; null when it is of another form.</summary>
    public static SwapUse? Parse(string text)
    {
        long?[] found =
        [
            .. Rows.Select(row => text.Split('\n').Where(line => line.StartsWith(row, StringComparison.Ordinal))
                .Select(line =>
                    long.TryParse(line[row.Length..], CultureInfo.InvariantCulture, out long pages)
                    ? pages : (long?)null).FirstOrDefault()),
        ];
        return found.Contains(null) ? null : new SwapUse(found.Sum() ?? 0);
    }

    /// <summary>The memory moved since an earlier reading, in units of 1,048,576 bytes.</summary>
    public double MegabytesSince(SwapUse earlier) => (Pages - earlier.Pages) * (Environment.SystemPageSize / BytesPerMegabyte);
}
