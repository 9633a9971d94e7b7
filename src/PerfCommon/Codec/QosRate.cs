namespace PerfCommon.Codec;

/// <summary>Rate of change of the data.</summary>
internal enum QosRate : byte
{
    /// <summary>Not said.</summary>
    Unspecified = 0,

    /// <summary>Every change.</summary>
    TickByTick = 1,

    /// <summary>Conflated as needed.</summary>
    JitConflated = 2,

    /// <summary>Conflated over the rate information, which follows.</summary>
    TimeConflated = 3,
}
