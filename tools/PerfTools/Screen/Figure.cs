using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Screen;

/// <summary>Formats numbers for people.</summary>
internal static class Figure
{
    /// <summary>Formats a count with thousands separators.</summary>
    public static string Count(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>
    /// Formats a time in microseconds: one decimal below 100 where there is one, whole above; <c>-</c> for one that has too few samples.
    /// </summary>
    public static string Micros(double? value) => value?.ToString(value < 100 ? "0.#" : "N0", CultureInfo.InvariantCulture) ?? "-";

    /// <summary>Formats a duration in seconds with three decimals.</summary>
    public static string Seconds(double value) => value.ToString("0.000", CultureInfo.InvariantCulture);

    /// <summary>Formats a percentage with one decimal.</summary>
    public static string Percent(double value) => value.ToString("0.0", CultureInfo.InvariantCulture);

    /// <summary>Formats a figure of a role by its kind and unit.</summary>
    public static string Of(RoleFigure figure, double value) => figure switch
    {
        { Unit: "us" } => Micros(value),
        { Kind: "time" } => Seconds(value),
        { Kind: "share" } => Percent(value),
        _ when value == Math.Floor(value) => Whole(value),
        _ => value.ToString(Math.Abs(value) < 100 ? "0.##" : "N0", CultureInfo.InvariantCulture),
    };

    /// <summary>Formats a whole number with thousands separators.</summary>
    public static string Whole(double value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
