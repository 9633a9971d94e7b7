using System.Diagnostics;
using System.Globalization;

namespace PerfCommon.Codec;

/// <summary>A time of day as it travels; not range-checked.</summary>
/// <param name="Hour">Hour; 255 is blank.</param>
/// <param name="Minute">Minute; 255 is blank.</param>
/// <param name="Second">Second; 255 is blank.</param>
/// <param name="Millisecond">Millisecond; 65535 is blank.</param>
/// <param name="Microsecond">Microsecond within the millisecond; 2047 is blank.</param>
/// <param name="Nanosecond">Nanosecond within the microsecond; 2047 is blank.</param>
[DebuggerDisplay("{Hour}:{Minute}:{Second} {Millisecond} ms {Microsecond} us {Nanosecond} ns")]
public readonly record struct RwfTime(
    byte Hour,
    byte Minute,
    byte Second = 0,
    ushort Millisecond = 0,
    ushort Microsecond = 0,
    ushort Nanosecond = 0)
{
    /// <summary>Blank of microseconds and nanoseconds: eleven bits, all set.</summary>
    internal const ushort BlankFraction = 0x07FF;

    /// <summary>No time.</summary>
    public static RwfTime BlankValue => new(255, 255, 255, ushort.MaxValue, BlankFraction, BlankFraction);

    /// <summary>True when every member is blank.</summary>
    public bool IsBlank => this == BlankValue;

    /// <summary>Bytes of the shortest form that keeps every member: 2, 3, 5, 7 or 8.</summary>
    internal int ShortestLength =>
        Nanosecond != 0 ? 8 : Microsecond != 0 ? 7 : Millisecond != 0 ? 5 : Second != 0 ? 3 : 2;

    /// <summary><c>15:52:12:000:000:000</c>, down to nanoseconds; empty when blank, <c>Invalid time</c> when no clock shows it.</summary>
    public override string ToString()
    {
        if (IsBlank)
            return "";
        if (this is { Hour: > 23 } or { Minute: > 59 } or { Second: > 60 } or { Millisecond: > 999 } or { Microsecond: > 999 } or { Nanosecond: > 999 })
            return "Invalid time";
        return string.Create(CultureInfo.InvariantCulture, $"{Hour:D2}:{Minute:D2}:{Second:D2}:{Millisecond:D3}:{Microsecond:D3}:{Nanosecond:D3}");
    }
}
