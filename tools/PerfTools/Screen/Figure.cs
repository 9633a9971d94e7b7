using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Screen;

/// <summary>Numbers as people read them.</summary>
internal static class Figure
{
    /// <summary>A count with its thousands apart.</summary>
    public static string Count(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>
    /// A time in microseconds: one decimal below 100 where there is one, whole above; <c>-</c> for one that has too few samples.
    /// </summary>
    public static string Micros(double? value) => value?.ToString(value < 100 ? "0.#" : "N0", CultureInfo.InvariantCulture) ?? "-";

    /// <summary>A length of time with thousandths.</summary>
    public static string Seconds(double value) => value.ToString("0.000", CultureInfo.InvariantCulture);

    /// <summary>A percentage with one decimal.</summary>
    public static string Percent(double value) => value.ToString("0.0", CultureInfo.InvariantCulture);

    /// <summary>A figure of a role by its kind and unit.</summary>
    public static string Of(RoleFigure figure, double value) => figure switch
    {
        { Unit: "us" } => Micros(value),
        { Kind: "time" } => Seconds(value),
        { Kind: "share" } => Percent(value),
        _ when value == Math.Floor(value) => Whole(value),
        _ => value.ToString(Math.Abs(value) < 100 ? "0.##" : "N0", CultureInfo.InvariantCulture),
    };

    /// <summary>A whole number with its thousands apart.</summary>
    public static string Whole(double value) => value.ToString("N0", CultureInfo.InvariantCulture);
}
