using PerfCommon.Codec;
using PerfCommon.Domains;

namespace Fuzz.Targets;

/// <summary>The list after an update's header, read on the quick and on the general path: both results are the same.</summary>
internal static class FieldListTarget
{
    [ThreadStatic]
    private static FieldListDecoder? _quick;

    [ThreadStatic]
    private static FieldListDecoder? _general;

    public static void Read(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        _quick ??= CreateDecoder();
        _general ??= CreateDecoder();
        int listAt = Math.Min(MarketPriceHeaders.UpdateHeaderBytes, input.Length);
        DecodeResult quick = _quick.Decode(input, listAt);
        DecodeResult general = _general.Decode(input[listAt..], 0); // without bytes before it, it is read on the general path
        FuzzTurns.Demand(quick == general, $"{quick} is not {general}");
        FuzzTurns.Demand((_quick.Checksum, _quick.UnknownFields) == (_general.Checksum, _general.UnknownFields), "other values were found");
        for (int i = 0; i < StampFields.Count; i++)
            FuzzTurns.Demand(_quick.Kept(i) == _general.Kept(i), "other stamps were found");
    }

    /// <summary>Messages with the shortest header, so that the list is at the same offset as in an update.</summary>
    public static IEnumerable<byte[]> CreateSamples() =>
        MessageTarget.CreateMessages().Where(message => UpdateHeader.TryRead(message, out _));

    private static FieldListDecoder CreateDecoder() => new(FieldDictionary.Default.Types, StampFields.First, StampFields.Count);
}
