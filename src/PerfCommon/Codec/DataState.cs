namespace PerfCommon.Codec;

/// <summary>Health of the data of a stream.</summary>
public enum DataState : byte
{
    /// <summary>As before.</summary>
    NoChange = 0,

    /// <summary>Good.</summary>
    Ok = 1,

    /// <summary>Not to be trusted.</summary>
    Suspect = 2,
}
