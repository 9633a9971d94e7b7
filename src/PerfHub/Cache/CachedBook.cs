using System.Runtime.InteropServices;
using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>
/// The image of a market-by-order item: a field list for each order, by its key. An add replaces an order, an update merges it field by field, a
/// delete removes it; fields of the summary are merged.
/// </summary>
/// <remarks>One owner thread. Its size is bounded, so that the image fits into one message: further orders are left out.</remarks>
internal sealed class CachedBook
{
    // Approximate bytes of an order, in addition to its key and fields.
    private const int OrderOverheadBytes = 128;

    // Maximum bytes of the image of one book. Beyond it no orders are added, and existing ones do not change.
    private const int MaxImageBytes = 12 * 1024 * 1024;
    private const int MaxGrownBytes = 14 * 1024 * 1024;
    private const int MaxOrders = ushort.MaxValue; // wire/rwf 4.4

    // flags | type of the keys | type of the payloads | id of the keys' field | length of the summary | count
    private const int MaxHeadBytes = 3 + 2 + 2 + 2;

    // action | lengths of permission data, key and list
    private const int MaxOrderHeadBytes = 1 + 2 + 2 + 3;
    private const int MaxSummaryBytes = short.MaxValue; // wire/rwf 4.4

    // Smaller tables are cleared: clearing takes as long as filling did.
    private const int MinReplacedOrders = 64;
    private const int SparseShare = 8;

    private Dictionary<byte[], Order> _orders = new(BytesComparer.Instance);
    private CachedFields _summary;
    private DataType _keyType = DataType.Buffer;
    private short _keyFieldId;
    private int _imageBytes; // upper bound of the image's size

    /// <summary>Number of orders.</summary>
    public int Count => _orders.Count;

    /// <summary>Approximate bytes in memory.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>True when the last map had orders that do not fit, which the book leaves out.</summary>
    public bool HasLeftOut { get; private set; }

    /// <summary>Replaces the book by a map.</summary>
    /// <returns>False when the bytes cannot be decoded, which changes nothing.</returns>
    public bool Replace(ReadOnlySpan<byte> map, FieldLimit limit)
    {
        if (!IsGood(map))
            return false;
        Clear();
        Apply(map, limit);
        return true;
    }

    /// <summary>Merges the orders of a map; others stay.</summary>
    /// <inheritdoc cref="Replace"/>
    public bool Merge(ReadOnlySpan<byte> map, FieldLimit limit)
    {
        if (!IsGood(map))
            return false;
        Apply(map, limit);
        return true;
    }

    /// <summary>Encodes the whole map; valid until the next image of any item is read.</summary>
    public ReadOnlySpan<byte> Read(FieldMerger merger)
    {
        int listBytes = _summary.MaxEncodedBytes;
        int mapBytes = MaxHeadBytes + listBytes;
        foreach ((byte[] key, Order order) in _orders)
        {
            listBytes = Math.Max(listBytes, order.Fields.MaxEncodedBytes);
            mapBytes += MaxOrderHeadBytes + key.Length + order.PermBytes + order.Fields.MaxEncodedBytes;
        }

        Span<byte> room = merger.RoomFor(mapBytes + listBytes);
        Span<byte> list = room[mapBytes..];
        RwfWriter writer = new(room[..mapBytes]);
        writer.BeginMap(_keyType, DataType.FieldList, keyFieldId: _keyFieldId == 0 ? null : _keyFieldId);
        WriteSummary(ref writer, list);
        foreach ((byte[] key, Order order) in _orders)
            Write(ref writer, key, order, list);
        writer.EndMap();
        return room[..writer.Written];
    }

    // Checks every list of every order; only lists are kept.
    private static bool IsGood(ReadOnlySpan<byte> map)
    {
        DecodeResult result = MapReader.TryOpen(map, out MapReader reader);
        if (result != DecodeResult.Success)
            return result == DecodeResult.NoData;
        if (reader.Shared.ContainerType is not (DataType.FieldList or DataType.NoData)
            || !IsGood(reader.Shared.Summary, reader.Shared.SetDefinitions))
        {
            return false;
        }

        while ((result = reader.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
        {
            if (!IsGood(entry.Content, reader.Shared.SetDefinitions))
                return false;
        }

        return result == DecodeResult.EndOfContainer;
    }

    private static bool IsGood(ReadOnlySpan<byte> list, scoped in SetDefinitions definitions)
    {
        DecodeResult result = FieldListReader.TryOpen(list, definitions, out FieldListReader reader);
        while (result == DecodeResult.Success)
            result = reader.TryReadNext(out _);
        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    private void Clear()
    {
        if (_orders.Capacity > MinReplacedOrders)
            _orders = new(BytesComparer.Instance);
        else
            _orders.Clear();
        _summary.Clear();
        (HeldBytes, _imageBytes) = (0, 0);
    }

    private void Apply(ReadOnlySpan<byte> map, FieldLimit limit)
    {
        HasLeftOut = false;
        if (MapReader.TryOpen(map, out MapReader reader) != DecodeResult.Success)
            return; // an empty map
        (_keyType, _keyFieldId) = (reader.KeyType, reader.KeyFieldId);
        if (!reader.Shared.Summary.IsEmpty)
        {
            HeldBytes -= _summary.HeldBytes;
            _summary.Merge(reader.Shared.Summary, limit, reader.Shared.SetDefinitions);
            HeldBytes += _summary.HeldBytes;
        }

        while (reader.TryReadNext(out MapEntry entry) == DecodeResult.Success)
        {
            if (entry.Action == MapAction.Delete)
                Remove(entry.Key);
            else
                HasLeftOut |= !TryPut(entry, reader.Shared.SetDefinitions, limit);
        }
    }

    private bool TryPut(scoped in MapEntry entry, scoped in SetDefinitions definitions, FieldLimit limit)
    {
        Dictionary<byte[], Order>.AlternateLookup<ReadOnlySpan<byte>> orders = _orders.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (_imageBytes > MaxGrownBytes || ((_imageBytes > MaxImageBytes || Count == MaxOrders) && !orders.ContainsKey(entry.Key)))
            return false;
        ref Order order = ref CollectionsMarshal.GetValueRefOrAddDefault(orders, entry.Key, out bool isKnown)!;
        if (isKnown)
            Charge(entry.Key, order, -1);
        if (entry.Action == MapAction.Add)
            order.Fields.Replace(entry.Content, limit, definitions);
        else
            order.Fields.Merge(entry.Content, limit, definitions);
        if (!entry.PermData.IsEmpty && !entry.PermData.SequenceEqual(order.PermData))
            order.PermData = entry.PermData.ToArray();
        Charge(entry.Key, order, 1);
        return true;
    }

    private void Charge(ReadOnlySpan<byte> key, in Order order, int sign)
    {
        HeldBytes += sign * (OrderOverheadBytes + key.Length + order.HeldBytes);
        _imageBytes += sign * (MaxOrderHeadBytes + key.Length + order.PermBytes + order.Fields.MaxEncodedBytes);
    }

    private void Remove(ReadOnlySpan<byte> key)
    {
        if (_orders.GetAlternateLookup<ReadOnlySpan<byte>>().Remove(key, out _, out Order order))
            Charge(key, order, -1);
        if (_orders.Capacity > MinReplacedOrders && Count < _orders.Capacity / SparseShare)
            _orders.TrimExcess(2 * Count);
    }

    private void WriteSummary(ref RwfWriter writer, Span<byte> room)
    {
        int bytes = _summary.IsEmpty ? 0 : _summary.Encode(room);
        if (bytes is 0 or > MaxSummaryBytes)
            return;
        writer.BeginSummary();
        writer.WriteContent(room[..bytes]);
    }

    // An order whose fields exceed the length of a payload cannot be sent.
    private static void Write(ref RwfWriter writer, byte[] key, in Order order, Span<byte> room)
    {
        int bytes = order.Fields.Encode(room);
        if (bytes > ushort.MaxValue)
            return;
        writer.BeginMapEntry(MapAction.Add, key, order.PermData);
        writer.WriteContent(room[..bytes]);
    }

    private struct Order
    {
        public CachedFields Fields;
        public byte[]? PermData;

        public readonly int PermBytes => PermData?.Length ?? 0;

        public readonly int HeldBytes => Fields.HeldBytes + PermBytes;
    }
}
