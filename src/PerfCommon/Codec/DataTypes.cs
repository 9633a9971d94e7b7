namespace PerfCommon.Codec;

/// <summary>What is true of a data type: its base, its kind, its size in set data.</summary>
internal static class DataTypes
{
    /// <summary>Container types travel as their code minus this, except as the type byte of an element or a set definition.</summary>
    public const byte ContainerScale = 128;

    private const byte LegacyInt = 1;
    private const byte LegacyUInt = 2;
    private const byte LegacyReal = 7;

    /// <summary>Type that a type byte of the wire decodes to: legacy and set-defined codes become their base type, others stay.</summary>
    public static DataType BaseOf(byte code) => code switch
    {
        LegacyInt => DataType.Int,
        LegacyUInt => DataType.UInt,
        LegacyReal => DataType.Real,
        _ => BaseOf((DataType)code),
    };

    /// <summary>Base type of a set-defined type; any other type itself.</summary>
    public static DataType BaseOf(DataType type) => type switch
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

    /// <summary>Bytes of a set item without a length; 0 when the item carries a length or tells its size itself.</summary>
    public static int FixedSizeOf(DataType type) => type switch
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

    /// <summary>True for the types of section 3 of the format: numbers, dates, strings, arrays.</summary>
    public static bool IsPrimitive(DataType type) =>
        type is >= DataType.Int and <= DataType.RmtesString and not (DataType)LegacyReal;

    /// <summary>True for a primitive type that may be the key of a map or the item of an array.</summary>
    public static bool IsSimple(DataType type) => IsPrimitive(type) && type != DataType.Array;

    /// <summary>True for strings and buffers: any bytes are a value.</summary>
    public static bool IsBytes(DataType type) => type is >= DataType.Buffer and <= DataType.RmtesString;

    /// <summary>True for container types, those that are carried as raw bytes included.</summary>
    public static bool IsContainer(DataType type) => (byte)type >= ContainerScale;

    /// <summary>True for containers with entries of their own, messages included.</summary>
    public static bool IsStructured(DataType type) => type is DataType.FieldList or DataType.ElementList
        or DataType.FilterList or DataType.Vector or DataType.Map or DataType.Series or DataType.Msg;

    /// <summary>Container type of a scaled byte; Unknown, to be carried as raw bytes, for bytes that name none.</summary>
    public static DataType FromScaled(byte scaled) =>
        scaled < ContainerScale ? (DataType)(scaled + ContainerScale) : DataType.Unknown;

    /// <summary>Scaled byte of a container type.</summary>
    /// <param name="type">A container type.</param>
    public static byte ToScaled(DataType type) => (byte)((byte)type - ContainerScale);
}
