using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

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
