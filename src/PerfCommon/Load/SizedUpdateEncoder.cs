namespace PerfCommon.Load;

/// <summary>Encodes the updates of one connection that have an exact size: in turn over the items that receive them.</summary>
/// <param name="items">The items.</param>
/// <param name="messages">Encoder of the updates.</param>
/// <param name="counts">The count of each item.</param>
internal struct SizedUpdateEncoder(ItemRotation items, SizedMessages messages, SizedCounts counts) : IMessageEncoder
{
    private int _cursor;

    /// <summary>Encoder of the updates from now on.</summary>
    public SizedMessages Messages { readonly get; set; } = messages;

    public readonly bool HasTargets => items.Count > 0;

    public readonly int MaxBytes => Messages.MaxUpdateBytes;

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        RotatingItem item = rotating[_cursor++];
        return Messages.Encode(room, item.StreamId, ref counts.Of(item.Slot), (ulong)stamp);
    }
}
