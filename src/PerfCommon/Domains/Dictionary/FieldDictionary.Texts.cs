using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

#pragma warning disable CA1711 // the field's own name
public sealed partial class FieldDictionary
#pragma warning restore CA1711
{
    /// <summary>Formats the value of a field for people: <c>104.25</c>, <c>15 NOV 2005</c>, the display of an enum value.</summary>
    /// <remarks>For printing, not for the hot path: <see cref="RwfPrimitives"/> reads typed values without creating text.</remarks>
    /// <param name="entry">An entry of a field list.</param>
    /// <returns>
    /// Empty when blank; the number of an enum value without an ASCII display. Bytes in hexadecimal for an undefined field, for a type with
    /// more than one value, and for content that is not a value of its type.
    /// </returns>
    public string TextOf(scoped in FieldEntry entry)
    {
        ReadOnlySpan<byte> content = entry.Content;
        DataType type = entry.Type == DataType.Unknown ? TypeOf(entry.FieldId) : entry.Type;
        return (type == DataType.Enum ? EnumTextOf(entry.FieldId, content) : TextOf(type, content)) ?? Convert.ToHexString(content);
    }

    private string? EnumTextOf(short fid, ReadOnlySpan<byte> content)
    {
        DecodeResult result = RwfPrimitives.TryReadEnum(content, out ushort value);
        if (result != DecodeResult.Success || !TryFindEnumTable(fid, out EnumTable? table) || !table.TryFind(value, out EnumValue? row))
            return Shown(result, value);
        ReadOnlySpan<byte> display = row.Display.Span;
        return Ascii.IsValid(display) ? Encoding.ASCII.GetString(display) : Shown(result, value);
    }

    // Null for bytes that are no value of the type, and for types without a text form.
    private static string? TextOf(DataType type, ReadOnlySpan<byte> content) => type switch
    {
        DataType.Int => Shown(RwfPrimitives.TryReadInt(content, out long value), value),
        DataType.UInt => Shown(RwfPrimitives.TryReadUInt(content, out ulong value), value),
        DataType.Real => Shown(RwfPrimitives.TryReadReal(content, out RwfReal value), value),
        DataType.Float => Shown(RwfPrimitives.TryReadFloat(content, out float value), value),
        DataType.Double => Shown(RwfPrimitives.TryReadDouble(content, out double value), value),
        DataType.Date => Shown(RwfPrimitives.TryReadDate(content, out RwfDate value), value),
        DataType.Time => Shown(RwfPrimitives.TryReadTime(content, out RwfTime value), value),
        DataType.DateTime => Shown(RwfPrimitives.TryReadDateTime(content, out RwfDateTime value), value),
        DataType.AsciiString or DataType.RmtesString or DataType.Utf8String => Encoding.UTF8.GetString(content),
        _ => null,
    };

    private static string? Shown<T>(DecodeResult result, T value) => result switch
    {
        DecodeResult.Success => string.Create(CultureInfo.InvariantCulture, $"{value}"),
        DecodeResult.Blank => "",
        _ => null,
    };
}
