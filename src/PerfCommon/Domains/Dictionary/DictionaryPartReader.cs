using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads the parts of a dictionary answer, a series of rows each, into a builder.</summary>
/// <param name="builder">Receives the rows, up to the first bad one.</param>
internal abstract class DictionaryPartReader(FieldDictionaryBuilder builder)
{
    /// <summary>What the rows are read into.</summary>
    protected FieldDictionaryBuilder Builder { get; } = builder;

    /// <summary>The type a summary must have, when it names one.</summary>
    protected abstract DictionaryType Type { get; }

    /// <summary>Reads one part. Elements are taken by name in any order; unknown ones are skipped.</summary>
    /// <param name="payload">Payload of the refresh: a whole series.</param>
    /// <returns>Null, or what is wrong.</returns>
    public string? FindProblem(ReadOnlySpan<byte> payload)
    {
        DecodeResult result = SeriesReader.TryOpen(payload, out SeriesReader series);
        if (result == DecodeResult.NoData)
            return null;
        if (result != DecodeResult.Success || series.Shared.ContainerType != DataType.ElementList)
            return "not a series of element lists";
        SetDefinitions definitions = series.Shared.SetDefinitions;
        if (!TryTakeSummary(series.Shared.Summary, definitions))
            return $"the summary is not that of {(Type == DictionaryType.EnumTables ? "enum tables" : "a field dictionary")}";

        int row = 1;
        for (; (result = series.TryReadNext(out ReadOnlySpan<byte> content)) == DecodeResult.Success; row++)
        {
            if (FindProblemOfRow(content, definitions, row) is { } problem)
                return problem;
        }

        return result == DecodeResult.EndOfContainer ? null : $"the part ends within row {row}";
    }

    /// <summary>Takes what one of the two dictionaries says in its summary.</summary>
    protected abstract DictionaryVersion Take(in DictionarySummary summary);

    /// <summary>Reads one row.</summary>
    /// <returns>Null, or what is wrong.</returns>
    protected abstract string? FindProblemOfRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int row);

    private bool TryTakeSummary(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions)
    {
        if (content.IsEmpty)
            return true;
        if (!DictionarySummary.TryRead(content, definitions, out DictionarySummary summary))
            return false;
        if (summary.Type != (long)DictionaryType.Unknown && summary.Type != (long)Type)
            return false;
        Builder.TrySetDictionaryId(summary.DictionaryId); // makers disagree about the number of the enum tables
        Builder.Version = Take(summary);
        return true;
    }
}

/// <summary>The summary of a dictionary answer.</summary>
internal record struct DictionarySummary(long Type, int DictionaryId, string Version, string RecordTemplates, string DisplayTemplates)
{
    /// <summary>Reads it; what is not given, or of another type than expected, stays empty.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, out DictionarySummary summary)
    {
        summary = new DictionarySummary(0, 0, "", "", "");
        DecodeResult result = ElementListReader.TryOpen(content, definitions, out ElementListReader elements);
        while (result == DecodeResult.Success)
        {
            result = elements.TryReadNext(out ElementEntry element);
            if (result == DecodeResult.Success)
                summary.Take(element);
        }

        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    private void Take(scoped in ElementEntry element)
    {
        ReadOnlySpan<byte> name = element.Name;
        if (element.Type is DataType.Int or DataType.UInt)
        {
            RwfPrimitives.TryReadInt(element.Content, out long value);
            if (name.SequenceEqual(DictionaryElements.Type))
                Type = value;
            else if (name.SequenceEqual(DictionaryElements.DictionaryId))
                DictionaryId = (int)value;
        }
        else if (element.Type == DataType.AsciiString)
        {
            string text = Encoding.Latin1.GetString(element.Content.TrimEnd((byte)0));
            if (name.SequenceEqual(DictionaryElements.Version))
                Version = text;
            else if (name.SequenceEqual(DictionaryElements.RecordTemplateVersion))
                RecordTemplates = text;
            else if (name.SequenceEqual(DictionaryElements.DisplayTemplateVersion))
                DisplayTemplates = text;
        }
    }
}
