namespace PerfTools.Ranks;

/// <summary>How far the wall clock of this rank is from that of rank 0, by one question and its answer.</summary>
/// <param name="Offset">This clock minus that of rank 0.</param>
/// <param name="Error">The maximum error of that: half of the exchange. It holds whichever way was the slower one.</param>
internal sealed record WallClockReading(TimeSpan Offset, TimeSpan Error)
{
    /// <summary>The reading of rank 0 itself.</summary>
    public static WallClockReading Own { get; } = new(TimeSpan.Zero, TimeSpan.Zero);

    /// <summary>Creates the reading of an exchange.</summary>
    /// <param name="asked">The time of the question, by this clock.</param>
    /// <param name="took">The time from there to the answer, by a clock that is not set.</param>
    /// <param name="told">The time of rank 0 when it answered, by its clock.</param>
    public static WallClockReading Of(DateTime asked, TimeSpan took, DateTime told) => new(asked + (took / 2) - told, took / 2);

    /// <summary>The one with the smaller error.</summary>
    public static WallClockReading Better(WallClockReading? a, WallClockReading b) => a is not null && a.Error <= b.Error ? a : b;
}
