using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads enum tables from the parts of a dictionary answer.</summary>
internal sealed class EnumTablesDecoder(FieldDictionaryBuilder builder) : DictionaryPartReader(builder)
{
    protected override DictionaryType Type => DictionaryType.EnumTables;

    protected override DictionaryVersion ApplySummary(in DictionarySummary summary) => Builder.Version with
    {
        RecordTemplates = summary.RecordTemplates,
        DisplayTemplates = summary.DisplayTemplates.Length > 0 ? summary.DisplayTemplates : summary.Version,
    };

    protected override string? FindProblemOfRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int row)
    {
        TableRow read = new([], [], []);
        if (content.IsEmpty || !ElementLists.TryRead(content, definitions, ref read, TryReadElement) || read.Finish() is not { } table)
            return $"table {row} cannot be decoded";
        if (Builder.TryAdd(table, out short taken))
            return null;
        return taken == 0 ? $"table {row} names no field" : $"field {taken} has two enum tables"; // wire/rwf 6.2
    }

    private static bool TryReadElement(scoped in ElementEntry element, ref TableRow row) => Encoding.Latin1.GetString(element.Name) switch
    {
        DictionaryElements.Fids or DictionaryElements.Fid => TryReadArray(element, row.Fids, TryReadFid), // wire/rwf 6.3
        DictionaryElements.Value or DictionaryElements.Values => TryReadArray(element, row.Numbers, TryReadNumber),
        DictionaryElements.Display or DictionaryElements.Displays => TryReadArray(element, row.Displays, TryReadDisplay),
        _ => true,
    };

    private static bool TryReadArray<T>(scoped in ElementEntry element, List<T> values, ItemReader<T> read)
    {
        if (element.Type != DataType.Array) // wire/rwf 6.3
            return false;

        DecodeResult result = ArrayReader.TryOpen(element.Content, out ArrayReader items);
        while (result == DecodeResult.Success)
        {
            result = items.TryReadNext(out ReadOnlySpan<byte> item);
            if (result != DecodeResult.Success)
                break;
            if (!read(item, out T value))
                return false;
            values.Add(value);
        }

        return result is DecodeResult.EndOfContainer || element.Content.IsEmpty;
    }

    private static bool TryReadFid(ReadOnlySpan<byte> item, out short fid)
    {
        DecodeResult result = RwfPrimitives.TryReadInt(item, out long value);
        fid = (short)value;
        return result == DecodeResult.Success && fid == value && fid != 0; // wire/rwf 6.1
    }

    private static bool TryReadNumber(ReadOnlySpan<byte> item, out ushort number)
    {
        DecodeResult result = RwfPrimitives.TryReadUInt(item, out ulong value);
        number = (ushort)value;
        return result == DecodeResult.Success && number == value; // wire/rwf 6.2
    }

    private static bool TryReadDisplay(ReadOnlySpan<byte> item, out byte[] display)
    {
        bool isText = item.Length <= MaxTextBytes;
        display = isText ? item.ToArray() : [];
        return isText;
    }

    private delegate bool ItemReader<T>(ReadOnlySpan<byte> item, out T value);

    private readonly record struct TableRow(List<short> Fids, List<ushort> Numbers, List<byte[]> Displays)
    {
        // Creates the table; null when a number has no display or occurs twice.
        public EnumTable? Finish() => Numbers.Count == Displays.Count && Numbers.Distinct().Count() == Numbers.Count
            ? new EnumTable(Fids, Numbers.Zip(Displays, (number, display) => new EnumValue(number, display, "")))
            : null; // wire/rwf 6.3
    }
}
