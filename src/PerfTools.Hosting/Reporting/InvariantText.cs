using System.Globalization;

namespace PerfTools.Hosting.Reporting;

/// <summary>Writes lines whose numbers never follow the culture and whose ends are always one line feed.</summary>
internal static class InvariantText
{
    private const double BytesPerMegabyte = 1_048_576;

    public static void Line(this TextWriter writer, FormattableString text)
    {
        writer.Write(text.ToString(CultureInfo.InvariantCulture));
        writer.Write('\n');
    }

    public static void EmptyLine(this TextWriter writer) => writer.Write('\n');

    /// <summary>A count per second; 0 when no time has passed.</summary>
    public static double PerSecond(double count, double seconds) => seconds > 0 ? count / seconds : 0;

    /// <summary>A part in percent of a whole; null of none.</summary>
    public static double? Percent(double part, double whole) => whole > 0 ? 100 * part / whole : null;

    /// <summary>Bytes as megabytes of 1,048,576 bytes.</summary>
    public static double Megabytes(double bytes) => bytes / BytesPerMegabyte;

    /// <summary>The time column of the statistics files.</summary>
    public static string Time(DateTime utc) => utc.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);
}
