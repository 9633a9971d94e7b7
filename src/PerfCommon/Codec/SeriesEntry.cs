namespace PerfCommon.Codec;

/// <summary>One row of a series.</summary>
/// <remarks>Borrows the message.</remarks>
internal readonly ref struct SeriesEntry
{
    internal SeriesEntry(ReadOnlySpan<byte> content) => Content = content;

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; }
}
