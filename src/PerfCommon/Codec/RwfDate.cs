using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>A date as it travels; not range-checked.</summary>
/// <param name="Day">Day of the month; 0 when the date names a month or a year only.</param>
/// <param name="Month">Month; 0 when the date names a year only.</param>
/// <param name="Year">Year.</param>
[DebuggerDisplay("{Year}-{Month}-{Day}")]
public readonly record struct RwfDate(byte Day, byte Month, ushort Year)
{
    /// <summary>No date: all members 0.</summary>
    public bool IsBlank => Day == 0 && Month == 0 && Year == 0;
}
