namespace PerfCommon.Codec;

/// <summary>Why a writer stopped. The first reason is kept.</summary>
public enum EncodeProblem : byte
{
    /// <summary>Nothing went wrong.</summary>
    None = 0,

    /// <summary>The span given to the writer is too small.</summary>
    NoRoom = 1,

    /// <summary>A length, count or member is beyond what its place on the wire can express.</summary>
    TooLong = 2,

    /// <summary>A value that the format cannot carry in this place.</summary>
    InvalidValue = 3,

    /// <summary>More containers inside each other than the format allows.</summary>
    TooDeep = 4,
}
