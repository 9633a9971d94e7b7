using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The enum tables as the parts of a dictionary answer.</summary>
internal sealed class EnumTablesParts(FieldDictionary dictionary, scoped in RwfMsg request) : DictionaryParts(request)
{
    private const byte SetId = 0;
    private const byte LastAsciiByte = 0x7E;
    private const int FidLength = sizeof(short);

    // No provider of this family names a service here, whatever was asked.
    protected override ushort ServiceId => 0;

    protected override int RowCount => dictionary.EnumTables.Count;

    // Every part has definitions and summary, and none a count.
    protected override void BeginSeries(ref RwfWriter writer, bool isFirst)
    {
        DictionaryVersion version = dictionary.Version;
        writer.BeginSeries(DataType.ElementList);
        if (Verbosity != DictionaryVerbosity.Info)
            WriteDefinitions(ref writer);
        writer.BeginSummary();
        writer.BeginElementList();
        writer.WriteIntElement(DictionaryElements.Type, (long)DictionaryType.EnumTables);
        writer.WriteIntElement(DictionaryElements.DictionaryId, version.DictionaryId);
        writer.WriteAsciiElement(DictionaryElements.RecordTemplateVersion, Encoding.Latin1.GetBytes(version.RecordTemplates));
        writer.WriteAsciiElement(DictionaryElements.DisplayTemplateVersion, Encoding.Latin1.GetBytes(version.DisplayTemplates));
        writer.WriteAsciiElement(DictionaryElements.Version, Encoding.Latin1.GetBytes(version.DisplayTemplates));
        writer.EndElementList();
        writer.EndSummary();
    }

    protected override void WriteRow(ref RwfWriter row, int index)
    {
        EnumTable table = dictionary.EnumTables[index];
        row.BeginElementList(ListFlags.HasSetData | ListFlags.HasSetId, setId: SetId);

        row.BeginSetItem(DataType.Array);
        row.BeginArray(DataType.Int, FidLength);
        foreach (short fid in table.Fids)
        {
            row.BeginItem();
            row.WriteInt(fid);
        }

        row.EndArray();
        row.EndEntry();

        row.BeginSetItem(DataType.Array);
        row.BeginArray(DataType.Enum);
        foreach (EnumValue value in table.Values)
        {
            row.BeginItem();
            row.WriteUInt(value.Value);
        }

        row.EndArray();
        row.EndEntry();

        row.BeginSetItem(DataType.Array);
        row.BeginArray(IsAscii(table) ? DataType.AsciiString : DataType.RmtesString);
        foreach (EnumValue value in table.Values)
            row.WriteItem(value.Display.Span);
        row.EndArray();
        row.EndEntry();

        row.EndSetData();
        row.EndElementList();
    }

    protected override ReadOnlySpan<byte> TextOf(int firstRow) => default;

    private static bool IsAscii(EnumTable table) =>
        table.Values.All(value => value.Display.Span.IndexOfAnyExceptInRange((byte)0, LastAsciiByte) < 0);

    private static void WriteDefinitions(ref RwfWriter writer)
    {
        writer.BeginSetDefinitions();
        writer.BeginSetDefinition(SetId);
        writer.AddSetElement(DictionaryElements.Fids, DataType.Array);
        writer.AddSetElement(DictionaryElements.Value, DataType.Array);
        writer.AddSetElement(DictionaryElements.Display, DataType.Array);
        writer.EndSetDefinitions();
    }
}

/// <summary>Reads enum tables from the parts of a dictionary answer.</summary>
internal sealed class EnumTablesDecoder(FieldDictionaryBuilder builder) : DictionaryPartReader(builder)
{
    protected override DictionaryType Type => DictionaryType.EnumTables;

    protected override DictionaryVersion Take(in DictionarySummary summary) => Builder.Version with
    {
        RecordTemplates = summary.RecordTemplates,
        DisplayTemplates = summary.DisplayTemplates.Length > 0 ? summary.DisplayTemplates : summary.Version,
    };

    protected override string? FindProblemOfRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int row)
    {
        if (TryReadRow(content, definitions) is not { } table)
            return $"table {row} cannot be decoded";
        if (Builder.TryAdd(table, out short taken))
            return null;
        return taken == 0 ? $"table {row} names no field" : $"field {taken} has two enum tables";
    }

    private static EnumTable? TryReadRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions)
    {
        List<short> fids = [];
        List<ushort> numbers = [];
        List<byte[]> displays = [];
        DecodeResult result = ElementListReader.TryOpen(content, definitions, out ElementListReader elements);
        while (result == DecodeResult.Success)
        {
            result = elements.TryReadNext(out ElementEntry element);
            if (result == DecodeResult.Success && !TryTake(element, fids, numbers, displays))
                return null;
        }

        if (result != DecodeResult.EndOfContainer || numbers.Count != displays.Count)
            return null;
        IEnumerable<EnumValue> rows = numbers.Zip(displays, (number, display) => new EnumValue(number, display, ""));
        EnumTable.TryCreate(fids, rows, out EnumTable? table, out _);
        return table;
    }

    private static bool TryTake(scoped in ElementEntry element, List<short> fids, List<ushort> numbers, List<byte[]> displays)
    {
        ReadOnlySpan<byte> name = element.Name;
        bool isFids = name.SequenceEqual(DictionaryElements.Fids) || name.SequenceEqual(DictionaryElements.Fid);
        bool isValues = name.SequenceEqual(DictionaryElements.Value) || name.SequenceEqual(DictionaryElements.Values);
        if (!isFids && !isValues && !name.SequenceEqual(DictionaryElements.Display) && !name.SequenceEqual(DictionaryElements.Displays))
            return true;
        if (element.Type != DataType.Array)
            return false;

        DecodeResult result = ArrayReader.TryOpen(element.Content, out ArrayReader items);
        if (element.Content.IsEmpty)
            return true;
        while (result == DecodeResult.Success)
        {
            result = items.TryReadNext(out ReadOnlySpan<byte> item);
            if (result != DecodeResult.Success)
                break;
            if (isFids ? !TryTakeFid(item, fids) : isValues ? !TryTakeNumber(item, numbers) : !TryTakeDisplay(item, displays))
                return false;
        }

        return result == DecodeResult.EndOfContainer;
    }

    private static bool TryTakeFid(ReadOnlySpan<byte> item, List<short> fids)
    {
        if (RwfPrimitives.TryReadInt(item, out long fid) != DecodeResult.Success || fid is < short.MinValue or > short.MaxValue or 0)
            return false;
        fids.Add((short)fid);
        return true;
    }

    private static bool TryTakeNumber(ReadOnlySpan<byte> item, List<ushort> numbers)
    {
        if (RwfPrimitives.TryReadUInt(item, out ulong number) != DecodeResult.Success || number > ushort.MaxValue)
            return false;
        numbers.Add((ushort)number);
        return true;
    }

    private static bool TryTakeDisplay(ReadOnlySpan<byte> item, List<byte[]> displays)
    {
        displays.Add(item.ToArray());
        return true;
    }
}
