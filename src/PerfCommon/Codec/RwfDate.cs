using System.Diagnostics;
using System.Globalization;

namespace PerfCommon.Codec;

/// <summary>A date as it travels; not range-checked.</summary>
/// <param name="Day">Day of the month; 0 when the date names a month or a year only.</param>
/// <param name="Month">Month; 0 when the date names a year only.</param>
/// <param name="Year">Year.</param>
[DebuggerDisplay("{Year}-{Month}-{Day}")]
public readonly record struct RwfDate(byte Day, byte Month, ushort Year)
{
    internal const string MonthNames = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";

    private const int LettersOfMonth = 3;
    private const int MinYearWidth = 4;

    /// <summary>No date: all members 0.</summary>
    public bool IsBlank => Day == 0 && Month == 0 && Year == 0;

    /// <summary><c>15 NOV 2005</c>; a part that is 0 is left out; empty when blank.</summary>
    public override string ToString()
    {
        string day = Day == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{Day:D2} ");
        string month = Month == 0 || Month > MonthNames.Length / LettersOfMonth
            ? ""
            : string.Concat(MonthNames.AsSpan((Month - 1) * LettersOfMonth, LettersOfMonth), " ");
        return IsBlank ? "" : day + month + Year.ToString(CultureInfo.InvariantCulture).PadLeft(MinYearWidth);
    }
}
