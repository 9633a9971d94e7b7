using System.Globalization;
using PerfCommon;

namespace PerfTools.Hosting.Reporting;

/// <summary>Formats numbers and times independently of the culture, with line ends that are always one line feed.</summary>
internal static class InvariantText
{
    /// <summary>Returns a text from elsewhere as part of one line: without control characters, of limited length.</summary>
    public static string OneLine(string? text) => PrintableText.From(text ?? "", PrintableText.MaxLineChars);

    private const double BytesPerMegabyte = 1_048_576;

    public static void Line(this TextWriter writer, FormattableString text)
    {
        writer.Write(text.ToString(CultureInfo.InvariantCulture));
        writer.Write('\n');
    }

    public static void EmptyLine(this TextWriter writer) => writer.Write('\n');

    /// <summary>Returns a count per second; 0 when no time has passed.</summary>
    public static double PerSecond(double count, double seconds) => seconds > 0 ? count / seconds : 0;

    /// <summary>Returns a part in percent of a whole; null when the whole is 0.</summary>
    public static double? Percent(double part, double whole) => whole > 0 ? 100 * part / whole : null;

    /// <summary>Converts bytes to megabytes of 1,048,576 bytes.</summary>
    public static double Megabytes(double bytes) => bytes / BytesPerMegabyte;

    /// <summary>Formats the time column of the statistics files.</summary>
    public static string Time(DateTime utc) => utc.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);
}
