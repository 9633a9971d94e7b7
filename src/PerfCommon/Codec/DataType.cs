namespace PerfCommon.Codec;

/// <summary>Every primitive, set-defined and container type of the wire format, unscaled.</summary>
#pragma warning disable CA1720 // the wire's own names
public enum DataType : byte
{
    /// <summary>No type, or one this codec does not know: raw bytes.</summary>
    Unknown = 0,

    /// <summary>Signed integer, 1 to 8 bytes.</summary>
    Int = 3,

    /// <summary>Unsigned integer, 1 to 8 bytes.</summary>
    UInt = 4,

    /// <summary>IEEE 754 single.</summary>
    Float = 5,

    /// <summary>IEEE 754 double.</summary>
    Double = 6,

    /// <summary>Integer with a decimal or fractional hint.</summary>
    Real = 8,

    /// <summary>Day, month, year.</summary>
    Date = 9,

    /// <summary>Time of day down to nanoseconds.</summary>
    Time = 10,

    /// <summary>Date and time.</summary>
    DateTime = 11,

    /// <summary>Quality of service.</summary>
    Qos = 12,

    /// <summary>Stream and data state.</summary>
    State = 13,

    /// <summary>Enumerated value, 0 to 65535.</summary>
    Enum = 14,

    /// <summary>Items of one primitive type.</summary>
    Array = 15,

    /// <summary>Any bytes.</summary>
    Buffer = 16,

    /// <summary>ASCII text.</summary>
    AsciiString = 17,

    /// <summary>UTF-8 text.</summary>
    Utf8String = 18,

    /// <summary>RMTES text, carried as bytes.</summary>
    RmtesString = 19,

    /// <summary>Set data only: Int of 1 bytes without a length.</summary>
    Int1 = 64,

    /// <summary>Set data only: UInt of 1 bytes without a length.</summary>
    UInt1 = 65,

    /// <summary>Set data only: Int of 2 bytes without a length.</summary>
    Int2 = 66,

    /// <summary>Set data only: UInt of 2 bytes without a length.</summary>
    UInt2 = 67,

    /// <summary>Set data only: Int of 4 bytes without a length.</summary>
    Int4 = 68,

    /// <summary>Set data only: UInt of 4 bytes without a length.</summary>
    UInt4 = 69,

    /// <summary>Set data only: Int of 8 bytes without a length.</summary>
    Int8 = 70,

    /// <summary>Set data only: UInt of 8 bytes without a length.</summary>
    UInt8 = 71,

    /// <summary>Set data only: Float of 4 bytes without a length.</summary>
    Float4 = 72,

    /// <summary>Set data only: Double of 8 bytes without a length.</summary>
    Double8 = 73,

    /// <summary>Set data only: Real whose first byte tells its size, at most 4 value bytes.</summary>
    Real4RB = 74,

    /// <summary>Set data only: Real whose first byte tells its size, at most 8 value bytes.</summary>
    Real8RB = 75,

    /// <summary>Set data only: Date of 4 bytes without a length.</summary>
    Date4 = 76,

    /// <summary>Set data only: Time of 3 bytes without a length.</summary>
    Time3 = 77,

    /// <summary>Set data only: Time of 5 bytes without a length.</summary>
    Time5 = 78,

    /// <summary>Set data only: DateTime of 7 bytes without a length.</summary>
    DateTime7 = 79,

    /// <summary>Set data only: DateTime of 9 bytes without a length.</summary>
    DateTime9 = 80,

    /// <summary>Set data only: DateTime of 11 bytes without a length.</summary>
    DateTime11 = 81,

    /// <summary>Set data only: DateTime of 12 bytes without a length.</summary>
    DateTime12 = 82,

    /// <summary>Set data only: Time of 7 bytes without a length.</summary>
    Time7 = 83,

    /// <summary>Set data only: Time of 8 bytes without a length.</summary>
    Time8 = 84,

    /// <summary>No payload.</summary>
    NoData = 128,

    /// <summary>Raw bytes.</summary>
    Opaque = 130,

    /// <summary>XML text.</summary>
    Xml = 131,

    /// <summary>Entries by field id.</summary>
    FieldList = 132,

    /// <summary>Entries by name.</summary>
    ElementList = 133,

    /// <summary>ANSI page bytes.</summary>
    AnsiPage = 134,

    /// <summary>Entries by filter id.</summary>
    FilterList = 135,

    /// <summary>Entries by index.</summary>
    Vector = 136,

    /// <summary>Entries by key.</summary>
    Map = 137,

    /// <summary>Rows in order.</summary>
    Series = 138,

    /// <summary>A message.</summary>
    Msg = 141,

    /// <summary>JSON text.</summary>
    Json = 142,
}
