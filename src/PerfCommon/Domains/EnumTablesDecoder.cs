using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads enum tables from the parts of a dictionary answer.</summary>
internal static class EnumTablesDecoder
{
    /// <summary>Reads one part. Elements are taken by name in any order; unknown ones are skipped.</summary>
    /// <param name="payload">Payload of the refresh: a whole series.</param>
    /// <param name="builder">Receives the tables, up to the first bad one.</param>
    /// <returns>Null, or what is wrong.</returns>
    public static string? FindProblem(ReadOnlySpan<byte> payload, FieldDictionaryBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        DecodeResult result = SeriesReader.TryOpen(payload, out SeriesReader series);
        if (result == DecodeResult.NoData)
            return null;
        if (result != DecodeResult.Success || series.ContainerType != DataType.ElementList)
            return "not a series of element lists";
        SetDefinitions definitions = series.SetDefinitions;
        if (!TryTakeSummary(series, definitions, builder))
            return "the summary is not that of enum tables";

        for (int row = 1; (result = series.TryReadNext(out SeriesEntry entry)) == DecodeResult.Success; row++)
        {
            if (TryReadRow(entry.Content, definitions) is not { } table)
                return $"table {row} cannot be decoded";
            if (!builder.TryAdd(table, out short taken))
                return taken == 0 ? $"table {row} names no field" : $"field {taken} has two enum tables";
        }

        return result == DecodeResult.EndOfContainer ? null : "the part ends within a table";
    }

    private static bool TryTakeSummary(
        scoped in SeriesReader series, scoped in SetDefinitions definitions, FieldDictionaryBuilder builder)
    {
        if (series.Summary.IsEmpty)
            return true;
        if (!DictionarySummary.TryRead(series.Summary, definitions, out DictionarySummary summary)
            || summary.Type is not (0 or (long)DictionaryType.EnumTables))
        {
            return false;
        }

        builder.TrySetDictionaryId(summary.DictionaryId); // makers disagree about the number of the enum tables
        builder.Version = builder.Version with
        {
            RecordTemplates = summary.RecordTemplates,
            DisplayTemplates = summary.DisplayTemplates.Length > 0 ? summary.DisplayTemplates : summary.Version,
        };
        return true;
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
