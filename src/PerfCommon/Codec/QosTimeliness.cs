namespace PerfCommon.Codec;

/// <summary>Age of the data.</summary>
internal enum QosTimeliness : byte
{
    /// <summary>Not said.</summary>
    Unspecified = 0,

    /// <summary>Not delayed.</summary>
    RealTime = 1,

    /// <summary>Delayed, unknown by how much.</summary>
    DelayedUnknown = 2,

    /// <summary>Delayed by the time information, which follows.</summary>
    Delayed = 3,
}
