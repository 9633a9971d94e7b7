namespace PerfCommon.Domains;

/// <summary>The older (Marketfeed) type of a field, kept in the dictionary beside its RWF type.</summary>
public enum FieldType : sbyte
{
    /// <summary>No older type: the field was born with RWF.</summary>
    None = -1,

    /// <summary>Time with seconds.</summary>
    TimeSeconds = 0,

    /// <summary>Whole number.</summary>
#pragma warning disable CA1720 // the dictionary's own name
    Integer = 1,
#pragma warning restore CA1720

    /// <summary>Number with decimals.</summary>
    Numeric = 2,

    /// <summary>Day, month and year.</summary>
    Date = 3,

    /// <summary>Price.</summary>
    Price = 4,

    /// <summary>Short text.</summary>
    Alphanumeric = 5,

    /// <summary>Number that stands for a text of an enum table.</summary>
    Enumerated = 6,

    /// <summary>Time in hours and minutes.</summary>
    Time = 7,

    /// <summary>Bytes without a meaning of their own.</summary>
    Binary = 8,

    /// <summary>Text of more than 255 bytes.</summary>
    LongAlphanumeric = 9,

    /// <summary>A whole document in one field.</summary>
    Opaque = 10,
}
