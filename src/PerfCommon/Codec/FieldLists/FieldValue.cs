using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Kind of value of one field of a template.</summary>
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

/// <summary>One typed field of a template; the quick encoder uses it in the form of <see cref="EncodableField"/>.</summary>
/// <param name="Number">The value, or its members packed into one number; for bytes the position of the first one.</param>
/// <param name="Extra">Date of a date and time; for bytes and state texts their length.</param>
/// <param name="FieldId">Id of the field.</param>
/// <param name="Kind">Decides which of the members are used, and how.</param>
/// <param name="Hint">Hint of a real.</param>
[DebuggerDisplay("field {FieldId}, {Kind} {Number}")]
internal readonly record struct FieldValue(long Number, int Extra, short FieldId, FieldKind Kind, byte Hint = 0)
{
    // hour 54..61 | minute 46..53 | second 38..45 | millisecond 22..37 | microsecond 11..21 | nanosecond 0..10
    private const int FractionBits = 11;
    private const int FractionMask = (1 << FractionBits) - 1;

    public RwfDate Date => UnpackDate(Extra);

    public RwfTime Time => new(
        (byte)(Number >> 54),
        (byte)(Number >> 46),
        (byte)(Number >> 38),
        (ushort)(Number >> 22),
        (ushort)((Number >> FractionBits) & FractionMask),
        (ushort)(Number & FractionMask));

    public RwfQos Qos => new((byte)(Number >> 40), (byte)(Number >> 32), Hint != 0, (ushort)(Number >> 16), (ushort)Number);

    public bool HasText => Kind is FieldKind.Bytes or FieldKind.State;

    public int TextStart => (int)Number;

    public StreamState StreamState => (StreamState)(byte)(Number >> 48);

    public DataState DataState => (DataState)(byte)(Number >> 40);

    public StateCode StateCode => (StateCode)(byte)(Number >> 32);

    public static FieldValue Of(short fieldId, RwfDate date) => new(0, PackDate(date), fieldId, FieldKind.Date);

    public static FieldValue Of(short fieldId, RwfTime time) => new(PackTime(time), 0, fieldId, FieldKind.Time);

    public static FieldValue Of(short fieldId, RwfDateTime value) =>
        new(PackTime(value.Time), PackDate(value.Date), fieldId, FieldKind.DateTime);

    public static FieldValue Of(short fieldId, RwfQos qos) => new(
        ((long)qos.Timeliness << 40) | ((long)qos.Rate << 32) | ((long)qos.TimeInfo << 16) | qos.RateInfo,
        0,
        fieldId,
        FieldKind.Qos,
        (byte)(qos.Dynamic ? 1 : 0));

    public static FieldValue Of(short fieldId, StreamState stream, DataState data, StateCode code, int textStart, int textLength) => new(
        ((long)stream << 48) | ((long)data << 40) | ((long)code << 32) | (uint)textStart, textLength, fieldId, FieldKind.State);

    private static int PackDate(RwfDate date) => (date.Day << 24) | (date.Month << 16) | date.Year;

    private static RwfDate UnpackDate(int packed) => new((byte)(packed >> 24), (byte)(packed >> 16), (ushort)packed);

    private static long PackTime(RwfTime time) =>
        ((long)time.Hour << 54) | ((long)time.Minute << 46) | ((long)time.Second << 38) | ((long)time.Millisecond << 22)
        | ((long)time.Microsecond << FractionBits) | time.Nanosecond;
}
