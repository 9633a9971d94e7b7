using System.Globalization;
using PerfCommon.Load;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Options;

/// <summary>The rate of messages with a time stamp: a number per second, or every message (<c>all</c>).</summary>
/// <param name="PerSecond">Messages per second; 0 for none; meaningless when <paramref name="All"/> is set.</param>
/// <param name="All">True when every message is stamped.</param>
internal readonly record struct LatencyRate(int PerSecond, bool All)
{
    private const string AllWord = "all";

    /// <summary>Stamps every message.</summary>
    public static LatencyRate Every { get; } = new(0, true);

    /// <summary>The same number for a <see cref="BurstPlan"/>.</summary>
    public int OfPlan => All ? StampCells.All : PerSecond;

    /// <summary>True when any message is stamped.</summary>
    public bool RequestsStamps => All || PerSecond > 0;

    /// <summary>Creates a rate of stamped messages per second, 0 for none.</summary>
    public static LatencyRate Of(int perSecond) => new(perSecond, false);

    /// <summary>True when the rate is a number above the limit; <c>all</c> never exceeds one.</summary>
    public bool Exceeds(int limit) => !All && PerSecond > limit;

    /// <summary>Reads a whole number or the word <c>all</c>.</summary>
    public static bool TryParse(string text, out LatencyRate rate)
    {
        if (text.Equals(AllWord, StringComparison.OrdinalIgnoreCase))
        {
            rate = Every;
            return true;
        }

        bool isNumber = int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number);
        rate = Of(number);
        return isNumber;
    }

    /// <summary>Writes the rate as it is typed: a number or <c>all</c>.</summary>
    public override string ToString() => All ? AllWord : PerSecond.ToString(CultureInfo.InvariantCulture);
}
