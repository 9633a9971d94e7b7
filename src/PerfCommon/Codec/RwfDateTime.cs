using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>A date and a time of day.</summary>
/// <param name="Date">The date; blank when all members are 0.</param>
/// <param name="Time">The time; may be blank beside a date.</param>
[DebuggerDisplay("{Date} {Time}")]
public readonly record struct RwfDateTime(RwfDate Date, RwfTime Time)
{
    /// <summary>Neither date nor time.</summary>
    public static RwfDateTime BlankValue => new(default, RwfTime.BlankValue);

    /// <summary>True when both parts are blank.</summary>
    public bool IsBlank => Date.IsBlank && Time.IsBlank;
}
