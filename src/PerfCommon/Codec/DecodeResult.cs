namespace PerfCommon.Codec;

/// <summary>The result of reading a value, an entry or a message. Reading never throws on input.</summary>
public enum DecodeResult : byte
{
    /// <summary>A value was read.</summary>
    Success = 0,

    /// <summary>The value is present and blank; the out value is the blank of its type.</summary>
    Blank = 1,

    /// <summary>Every counted entry has been read.</summary>
    EndOfContainer = 2,

    /// <summary>The container range is empty: no entries, and no error.</summary>
    NoData = 3,

    /// <summary>The bytes end inside a value, or a length exceeds its range.</summary>
    Incomplete = 4,

    /// <summary>The bytes are complete but not allowed by the wire format.</summary>
    Invalid = 5,

    /// <summary>Containers are nested more deeply than the format allows.</summary>
    TooDeep = 6,
}
