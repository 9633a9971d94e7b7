using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads the parts of a dictionary answer, a series of rows each, into a builder.</summary>
/// <param name="builder">Receives the rows, up to the first bad one.</param>
internal abstract class DictionaryPartReader(FieldDictionaryBuilder builder)
{
    /// <summary>Maximum bytes of a name or another text.</summary>
    public const int MaxTextBytes = byte.MaxValue;

    // Of both dictionaries together: some ten times the largest known ones.
    private const long MaxKeptBytes = 64 * 1024 * 1024;

    protected FieldDictionaryBuilder Builder { get; } = builder;

    /// <summary>The type a summary must have, if it states one.</summary>
    protected abstract DictionaryType Type { get; }

    /// <summary>Reads one part. Elements are read by name in any order; unknown ones are skipped.</summary>
    /// <param name="payload">Payload of the refresh: a complete series.</param>
    /// <returns>Null, or the error.</returns>
    public string? FindProblem(ReadOnlySpan<byte> payload)
    {
        DecodeResult result = SeriesReader.TryOpen(payload, out SeriesReader series);
        if (result == DecodeResult.NoData)
            return null;
        if (result != DecodeResult.Success || series.Shared.ContainerType != DataType.ElementList)
            return "not a series of element lists"; // wire/rwf 6.3
        SetDefinitions definitions = series.Shared.SetDefinitions;
        if (!TryReadSummary(series.Shared.Summary, definitions))
            return $"the summary is not that of {(Type == DictionaryType.EnumTables ? "enum tables" : "a field dictionary")}";

        int row = 1;
        for (; (result = series.TryReadNext(out ReadOnlySpan<byte> content)) == DecodeResult.Success; row++)
        {
            if (FindProblemOfRow(content, definitions, row) is { } problem)
                return problem;
            if (Builder.KeptBytes > MaxKeptBytes)
                return $"it is larger than the {MaxKeptBytes / (1024 * 1024)} MB that are kept";
        }

        return result == DecodeResult.EndOfContainer ? null : $"the part ends within row {row}"; // wire/rwf 9.1
    }

    /// <summary>Reads the part of the summary that only one of the two dictionaries has.</summary>
    protected abstract DictionaryVersion ApplySummary(in DictionarySummary summary);

    /// <summary>Reads one row.</summary>
    /// <returns>Null, or the error.</returns>
    protected abstract string? FindProblemOfRow(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int row);

    private bool TryReadSummary(ReadOnlySpan<byte> content, scoped in SetDefinitions definitions)
    {
        if (content.IsEmpty)
            return true;
        DictionarySummary summary = new(0, 0, "", "", "");
        if (!ElementLists.TryRead(content, definitions, ref summary, DictionarySummary.TryReadElement))
            return false;
        if (summary.Type != (long)DictionaryType.Unknown && summary.Type != (long)Type) // wire/rwf 6.3
            return false;
        Builder.TrySetDictionaryId(summary.DictionaryId); // vendors disagree about the number of the enum tables
        Builder.Version = ApplySummary(summary);
        return true;
    }
}

/// <summary>The summary of a dictionary answer.</summary>
internal readonly record struct DictionarySummary(long Type, int DictionaryId, string Version, string RecordTemplates,
    string DisplayTemplates)
{
    /// <summary>Reads a known element; a member that is absent, of another type or longer than expected stays empty.</summary>
    public static bool TryReadElement(scoped in ElementEntry element, ref DictionarySummary summary)
    {
        bool isText = element.Type == DataType.AsciiString && element.Content.Length <= DictionaryPartReader.MaxTextBytes; // wire/rwf 6.3
        bool isNumber = element.Type is DataType.Int or DataType.UInt; // wire/rwf 6.3
        string text = isText ? Encoding.Latin1.GetString(element.Content.TrimEnd((byte)0)) : "";
        RwfPrimitives.TryReadInt(element.Content, out long number);
        summary = Encoding.Latin1.GetString(element.Name) switch
        {
            DictionaryElements.Type when isNumber => summary with { Type = number },
            DictionaryElements.DictionaryId when isNumber => summary with { DictionaryId = (int)number },
            DictionaryElements.Version when isText => summary with { Version = text },
            DictionaryElements.RecordTemplateVersion when isText => summary with { RecordTemplates = text },
            DictionaryElements.DisplayTemplateVersion when isText => summary with { DisplayTemplates = text },
            _ => summary,
        };
        return true;
    }
}
