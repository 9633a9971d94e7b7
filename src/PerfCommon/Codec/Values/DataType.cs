namespace PerfCommon.Codec;

/// <summary>Every primitive, set-defined and container type of the wire format, unscaled.</summary>
#pragma warning disable CA1720 // the wire's own names
public enum DataType : byte // wire/rwf 3
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

    /// <summary>Set data only: Int of 1 byte without a length.</summary>
    Int1 = 64, // wire/rwf 3.1

    /// <summary>Set data only: UInt of 1 byte without a length.</summary>
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

    /// <summary>Set data only: Real whose first byte encodes its size, at most 4 value bytes.</summary>
    Real4RB = 74,

    /// <summary>Set data only: Real whose first byte encodes its size, at most 8 value bytes.</summary>
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
    NoData = 128, // wire/rwf 4

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

/// <summary>Facts about data types: base type, kind, size in set data.</summary>
internal static class DataTypes
{
    public const byte ContainerScale = 128; // wire/rwf 4

    private const byte LegacyInt = 1; // wire/rwf 3
    private const byte LegacyUInt = 2; // wire/rwf 3
    private const byte LegacyReal = 7; // wire/rwf 3

    /// <summary>Decodes a type byte of the wire: legacy and set-defined codes become their base type, others are unchanged.</summary>
    public static DataType BaseOf(byte code) => code switch // wire/rwf 3
    {
        LegacyInt => DataType.Int,
        LegacyUInt => DataType.UInt,
        LegacyReal => DataType.Real,
        _ => BaseOf((DataType)code),
    };

    /// <summary>Returns the base type of a set-defined type, and any other type unchanged.</summary>
    public static DataType BaseOf(DataType type) => type switch // wire/rwf 3.1
    {
        DataType.Int1 or DataType.Int2 or DataType.Int4 or DataType.Int8 => DataType.Int,
        DataType.UInt1 or DataType.UInt2 or DataType.UInt4 or DataType.UInt8 => DataType.UInt,
        DataType.Float4 => DataType.Float,
        DataType.Double8 => DataType.Double,
        DataType.Real4RB or DataType.Real8RB => DataType.Real,
        DataType.Date4 => DataType.Date,
        DataType.Time3 or DataType.Time5 or DataType.Time7 or DataType.Time8 => DataType.Time,
        DataType.DateTime7 or DataType.DateTime9 or DataType.DateTime11 or DataType.DateTime12 => DataType.DateTime,
        _ => type,
    };

    /// <summary>Returns the bytes of a set item without a length; 0 when the item carries a length or encodes its size itself.</summary>
    public static int FixedSizeOf(DataType type) => type switch // wire/rwf 3.1
    {
        DataType.Int1 or DataType.UInt1 => 1,
        DataType.Int2 or DataType.UInt2 => 2,
        DataType.Time3 => 3,
        DataType.Int4 or DataType.UInt4 or DataType.Float4 or DataType.Date4 => 4,
        DataType.Time5 => 5,
        DataType.Time7 or DataType.DateTime7 => 7,
        DataType.Int8 or DataType.UInt8 or DataType.Double8 or DataType.Time8 => 8,
        DataType.DateTime9 => 9,
        DataType.DateTime11 => 11,
        DataType.DateTime12 => 12,
        _ => 0,
    };

    /// <summary>True for the primitive types: numbers, dates, strings, arrays.</summary>
    public static bool IsPrimitive(DataType type) =>
        type is >= DataType.Int and <= DataType.RmtesString and not (DataType)LegacyReal;

    /// <summary>True for a primitive type that may be the key of a map or the item of an array.</summary>
    public static bool IsSimple(DataType type) => IsPrimitive(type) && type != DataType.Array;

    /// <summary>True for strings and buffers: any bytes are a valid value.</summary>
    public static bool IsBytes(DataType type) => type is >= DataType.Buffer and <= DataType.RmtesString;

    /// <summary>True for a Real of set data, whose first byte encodes its size.</summary>
    public static bool IsSizedReal(DataType type) => type is DataType.Real4RB or DataType.Real8RB; // wire/rwf 3.1

    /// <summary>True for container types, including those that are carried as raw bytes.</summary>
    public static bool IsContainer(DataType type) => (byte)type >= ContainerScale;

    /// <summary>Returns the container type of a scaled byte; Unknown, carried as raw bytes, for a byte that names none.</summary>
    public static DataType FromScaled(byte scaled) => // wire/rwf 4
        scaled < ContainerScale ? (DataType)(scaled + ContainerScale) : DataType.Unknown;

    /// <summary>Returns the scaled byte of a container type.</summary>
    /// <param name="type">A container type.</param>
    public static byte ToScaled(DataType type) => (byte)((byte)type - ContainerScale);
}
