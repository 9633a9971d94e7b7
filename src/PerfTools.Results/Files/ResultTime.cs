using System.Globalization;

namespace PerfTools.Results.Files;

/// <summary>Checks and formats times in results.</summary>
internal static class ResultTime
{
    /// <summary>Maximum interval, a year.</summary>
    public const double MaxSeconds = 366 * 86_400.0;

    private const string Form = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";
    private const int FirstYear = 1970, LastYear = 2199;

    /// <summary>True for a possible time of a run.</summary>
    public static bool CanBe(DateTime utc) => utc.Year is >= FirstYear and <= LastYear;

    /// <summary>Formats a UTC time to the millisecond, as tables have it.</summary>
    public static string ToText(DateTime utc) => utc.ToString(Form, CultureInfo.InvariantCulture);

    /// <summary>Reads a UTC time; false for other text, and for an impossible time.</summary>
    public static bool TryRead(string? text, out DateTime utc) => DateTime.TryParse(
        text, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal, out utc) && CanBe(utc);
}
