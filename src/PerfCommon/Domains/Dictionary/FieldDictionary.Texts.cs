using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

#pragma warning disable CA1711 // the field's own name
public sealed partial class FieldDictionary
#pragma warning restore CA1711
{
    /// <summary>The value of a field as people read it: <c>104.25</c>, <c>15 NOV 2005</c>, the display of an enum value.</summary>
    /// <remarks>For printing, not for the hot path: <see cref="RwfPrimitives"/> reads typed values without a text.</remarks>
    /// <param name="entry">An entry of a field list.</param>
    /// <returns>
    /// Empty when blank; an enum value without a display in ASCII is its number; what is not defined, no single value, or no value of its
    /// type is its bytes in hexadecimal.
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

    // Null for bytes that are no value of the type, and for types without a text.
    private static string? TextOf(DataType type, ReadOnlySpan<byte> content)
    {
        switch (type)
        {
            case DataType.Int:
                return Shown(RwfPrimitives.TryReadInt(content, out long signed), signed);
            case DataType.UInt:
                return Shown(RwfPrimitives.TryReadUInt(content, out ulong unsigned), unsigned);
            case DataType.Real:
                return Shown(RwfPrimitives.TryReadReal(content, out RwfReal real), real);
            case DataType.Float:
                return Shown(RwfPrimitives.TryReadFloat(content, out float single), single);
            case DataType.Double:
                return Shown(RwfPrimitives.TryReadDouble(content, out double twice), twice);
            case DataType.Date:
                return Shown(RwfPrimitives.TryReadDate(content, out RwfDate date), date);
            case DataType.Time:
                return Shown(RwfPrimitives.TryReadTime(content, out RwfTime time), time);
            case DataType.DateTime:
                return Shown(RwfPrimitives.TryReadDateTime(content, out RwfDateTime moment), moment);
            case DataType.AsciiString or DataType.RmtesString or DataType.Utf8String:
                return Encoding.UTF8.GetString(content);
            default:
                return null;
        }
    }

    private static string? Shown<T>(DecodeResult result, T value) => result switch
    {
        DecodeResult.Success => string.Create(CultureInfo.InvariantCulture, $"{value}"),
        DecodeResult.Blank => "",
        _ => null,
    };
}
