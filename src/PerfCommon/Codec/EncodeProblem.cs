namespace PerfCommon.Codec;

/// <summary>The reason why a writer stopped. The first reason is kept.</summary>
public enum EncodeProblem : byte
{
    /// <summary>Nothing went wrong.</summary>
    None = 0,

    /// <summary>The span given to the writer is too small.</summary>
    NoRoom = 1,

    /// <summary>A length, count or member exceeds the maximum of its encoding.</summary>
    TooLong = 2,

    /// <summary>The format cannot carry the value in this place.</summary>
    InvalidValue = 3,

    /// <summary>Containers are nested more deeply than the format allows.</summary>
    TooDeep = 4,
}
