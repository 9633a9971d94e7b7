using System.Diagnostics;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>The map of one market-by-order message: a field list for each order, keyed by the order's id, encoded anew every time.</summary>
/// <remarks>
/// Immutable, so any number of threads may encode from it. Encoding allocates nothing. A time stamp is the summary's only field.
/// </remarks>
[DebuggerDisplay("{EntryCount} entries, {EncodedBytes} bytes")]
internal sealed class FieldMapTemplate
{
    /// <summary>Maximum number of entries, limited by their two-byte count.</summary>
    public const int MaxEntries = ushort.MaxValue;

    // flags | type of the keys | type of the payloads | length of the summary, its list's flags and count | count
    private const int MaxHeadBytes = 3 + 1 + 3 + 2;

    // action | length of the key | length of the list
    private const int MaxEntryHeadBytes = 1 + 2 + 3;

    private readonly FieldMapEntry[] _entries;

    /// <summary>Creates a map.</summary>
    /// <param name="entries">The orders, in this order; at most <see cref="MaxEntries"/>.</param>
    public FieldMapTemplate(FieldMapEntry[] entries)
    {
        _entries = entries;
        EstimatedBytes = FieldListBuilder.MessageEstimate + entries.Sum(Estimate);
        int room = MaxHeadBytes + FieldListEncoder.Slack
            + entries.Sum(entry => MaxEntryHeadBytes + entry.Key.Length + (entry.Fields?.EncodedBytes ?? 0));
        EncodedBytes = Encode(new byte[room], 0, 0);
    }

    /// <summary>Size of a message with this map by a rule like that of field lists.</summary>
    public int EstimatedBytes { get; }

    /// <summary>Exact size of the encoded map in bytes, without a time stamp and without any message header.</summary>
    public int EncodedBytes { get; }

    /// <summary>Maximum bytes of the map with a time stamp, and the size of buffer that encoding needs.</summary>
    public int MaxBytes => EncodedBytes + MaxHeadBytes + FieldListTemplate.MaxStampBytes + FieldListEncoder.Slack;

    /// <summary>Number of orders in the map.</summary>
    public int EntryCount => _entries.Length;

    /// <summary>Encodes the map as the payload of a message whose header was written.</summary>
    /// <returns>False when the buffer is too small; the writer has then failed.</returns>
    public bool Encode(ref RwfWriter writer, short stampFieldId = 0, ulong stamp = 0)
    {
        writer.BeginMap(DataType.Buffer, DataType.FieldList);
        if (stamp != 0)
            WriteSummary(ref writer, stampFieldId, stamp);
        foreach (ref readonly FieldMapEntry entry in _entries.AsSpan())
        {
            writer.BeginMapEntry(entry.Action, entry.Key);
            entry.Fields?.EncodeList(ref writer);
            writer.EndEntry();
        }

        return writer.EndMap();
    }

    /// <summary>Encodes the map without a writer.</summary>
    /// <param name="room">At least <see cref="MaxBytes"/>.</param>
    /// <param name="stampFieldId">Field that carries the stamp.</param>
    /// <param name="stamp">The stamp; 0 for none.</param>
    /// <returns>Its length.</returns>
    public int Encode(Span<byte> room, short stampFieldId, ulong stamp)
    {
        RwfWriter writer = new(room);
        return Encode(ref writer, stampFieldId, stamp)
            ? writer.Written
            : throw new InvalidOperationException("a map does not fit the room measured for it");
    }

    private static void WriteSummary(ref RwfWriter writer, short stampFieldId, ulong stamp)
    {
        writer.BeginSummary();
        writer.BeginFieldList();
        writer.WriteUIntField(stampFieldId, stamp);
        writer.EndFieldList();
        writer.EndSummary();
    }

    private static int Estimate(FieldMapEntry entry) =>
        MaxEntryHeadBytes + entry.Key.Length + (entry.Fields is { } fields ? fields.EstimatedBytes - FieldListBuilder.MessageEstimate : 0);
}

/// <summary>One order in a map.</summary>
/// <param name="Action">Action on the order.</param>
/// <param name="Key">Its id, 1 to 255 bytes.</param>
/// <param name="Fields">Fields of the order; null when it is deleted.</param>
internal readonly record struct FieldMapEntry(MapAction Action, byte[] Key, FieldListTemplate? Fields);
