namespace PerfCommon.Codec;

/// <summary>How one field of a template is encoded; dense, so that the encoder's switch is one jump.</summary>
internal enum FieldKind : byte
{
    Blank,
    Int,
    UInt,
    Real,
    Enum,
    Date,
    Time,
    DateTime,
    Bytes,
    Float,
    Double,
    Qos,
    State,
}
