using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

public sealed partial class FieldListBuilder
{
    private const int MaxDecimals = RealHint.Exponent0 - RealHint.ExponentMinus14;

    /// <summary>Adds a field.</summary>
    /// <param name="acronym">Its short name, such as <c>BID</c>; case counts. The time stamps, fields 3902 to 3904, are refused.</param>
    /// <param name="value">
    /// Null or an empty string for blank; else a value of the field's type: any whole number that fits for Int, UInt, Enum and Real;
    /// also <see cref="decimal"/> or <see cref="RwfReal"/> for Real; <see cref="float"/>, <see cref="double"/>, <see cref="RwfDate"/>,
    /// <see cref="RwfTime"/>, <see cref="RwfDateTime"/>, <see cref="RwfQos"/> for those types; for State a tuple
    /// <c>(StreamState, DataState, StateCode, string)</c>; for every other type a string, as UTF-8, or an array of bytes.
    /// </param>
    /// <returns>The builder itself.</returns>
    /// <exception cref="ArgumentException">The dictionary has no such field, or the value is not one of its type.</exception>
    public FieldListBuilder Add(string acronym, object? value) => dictionary.TryFind(acronym, out FieldDefinition? field)
        ? Add(field, value)
        : throw new ArgumentException($"field \"{acronym}\" is not in the field dictionary", nameof(acronym));

    /// <summary>Adds a field by its id; otherwise as by its name.</summary>
    public FieldListBuilder Add(short fieldId, object? value) => dictionary.TryFind(fieldId, out FieldDefinition? field)
        ? Add(field, value)
        : throw new ArgumentException($"field {fieldId} is not in the field dictionary", nameof(fieldId));

    private FieldListBuilder Add(FieldDefinition field, object? value)
    {
        if (StampFields.IsStamp(field.Fid))
            throw new ArgumentException($"field {field.Fid} is kept for time stamps and cannot be in a message", nameof(value));
        if (Count == MaxFields)
            throw new InvalidOperationException($"a message has at most {MaxFields} fields");
        if (value is null or "")
            AddBlank(field.Fid, field.DataType);
        else if (FixedOf(field, value) is { } number)
            Add(number, field.DataType);
        else if (!TryAddLong(field, value))
            throw NoValue(field, value);
        return this;
    }

    private static ArgumentException NoValue(FieldDefinition field, object value) => new(
        string.Create(CultureInfo.InvariantCulture,
            $"field {field.Fid} ({field.Acronym}) is {field.DataType}: {value.GetType().Name} {value} is no value of it"),
        nameof(value));

    // Returns the value of a type of fixed length, null for any other value.
    private static FieldValue? FixedOf(FieldDefinition field, object value) => (field.DataType, value) switch
    {
        (DataType.Int, _) when IsWhole(value, long.MinValue, long.MaxValue, out Int128 whole) =>
            new((long)whole, 0, field.Fid, FieldKind.Int),
        (DataType.UInt, _) when IsWhole(value, 0, ulong.MaxValue, out Int128 whole) =>
            new((long)(ulong)whole, 0, field.Fid, FieldKind.UInt),
        (DataType.Enum, _) when IsWhole(value, 0, ushort.MaxValue, out Int128 whole) => new((long)whole, 0, field.Fid, FieldKind.Enum),
        (DataType.Real, _) when IsReal(value, out RwfReal real) => new(real.Value, 0, field.Fid, FieldKind.Real, real.Hint),
        (DataType.Float, float single) => new(BitConverter.SingleToInt32Bits(single), 0, field.Fid, FieldKind.Float),
        (DataType.Double, double twice) => new(BitConverter.DoubleToInt64Bits(twice), 0, field.Fid, FieldKind.Double),
        (DataType.Date, RwfDate date) => FieldValue.Of(field.Fid, date),
        (DataType.Time, RwfTime time) => FieldValue.Of(field.Fid, time),
        (DataType.DateTime, RwfDateTime moment) => FieldValue.Of(field.Fid, moment),
        (DataType.Qos, RwfQos { Timeliness: > 0, Rate: > 0 } qos) => FieldValue.Of(field.Fid, qos),
        _ => null,
    };

    private bool TryAddLong(FieldDefinition field, object value)
    {
        int start = TextBytes, maxBytes = MaxTextBytes;
        switch (value)
        {
            case ValueTuple<StreamState, DataState, StateCode, string> state when field.DataType == DataType.State:
                if (state.Item1 == StreamState.Unspecified)
                    return false; // cannot be encoded
                maxBytes = MaxStateTextBytes;
                AddState(field.Fid, state.Item1, state.Item2, state.Item3, state.Item4);
                break;
            case string text when HasNoTypeOfItsOwn(field.DataType):
                AddText(field.Fid, field.DataType, text);
                break;
            case byte[] bytes when HasNoTypeOfItsOwn(field.DataType):
                AddBytes(field.Fid, field.DataType, bytes);
                break;
            default:
                return false;
        }

        if (TextBytes - start > maxBytes || TextBytes > MaxMessageTextBytes)
            throw new ArgumentException($"field {field.Fid} ({field.Acronym}): the text is too long", nameof(value));
        return true;
    }

    private static bool HasNoTypeOfItsOwn(DataType type) => type is not (DataType.Int or DataType.UInt or DataType.Enum or DataType.Real
        or DataType.Float or DataType.Double or DataType.Date or DataType.Time or DataType.DateTime or DataType.Qos or DataType.State);

    private static bool IsWhole(object value, Int128 min, Int128 max, out Int128 whole)
    {
        Int128? given = value switch
        {
            sbyte or short or int or long => Convert.ToInt64(value, CultureInfo.InvariantCulture),
            byte or ushort or uint or ulong => Convert.ToUInt64(value, CultureInfo.InvariantCulture),
            _ => null,
        };
        whole = given ?? 0;
        return given is not null && whole >= min && whole <= max;
    }

    private static bool IsReal(object value, out RwfReal real)
    {
        real = value is RwfReal given ? given : default;
        if (value is RwfReal)
            return true;
        if (IsWhole(value, long.MinValue, long.MaxValue, out Int128 whole))
            real = new RwfReal((long)whole, RealHint.Exponent0);
        else if (value is decimal { Scale: <= MaxDecimals } exact && IsLong(exact, out long digits))
            real = new RwfReal(digits, (byte)(RealHint.Exponent0 - exact.Scale));
        else
            return false;
        return true;
    }

    // Computes the digits without their point: 104.25 is 10425 with a scale of 2.
    private static bool IsLong(decimal exact, out long digits)
    {
        ReadOnlySpan<int> bits = decimal.GetBits(exact);
        Int128 magnitude = ((Int128)(uint)bits[2] << 64) | ((Int128)(uint)bits[1] << 32) | (uint)bits[0];
        Int128 signed = decimal.IsNegative(exact) ? -magnitude : magnitude;
        digits = long.CreateTruncating(signed);
        return signed == digits;
    }
}
