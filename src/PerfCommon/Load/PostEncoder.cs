using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Encodes the posts of a consumer: in turn over the items that it posts to, for each item its templates in turn.</summary>
/// <param name="items">The items that are posted to.</param>
/// <param name="templates">The updates in the posts, at least one where there are items of market price.</param>
/// <param name="posts">Encoder with the posting user.</param>
/// <param name="directory">The directory by which the consumer detects that its service is down, which pauses the posts.</param>
/// <param name="orderBooks">The updates of market by order.</param>
internal struct PostEncoder(ItemRotation items, FieldListTemplate[] templates, PostMessage posts, DirectoryConsumer directory,
    FieldMapTemplate[]? orderBooks = null) : IMessageEncoder
{
    private readonly FieldMapTemplate[] _orderBooks = orderBooks ?? [];
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0 && directory.IsReady;

    public readonly int MaxBytes { get; } =
        templates.Select(PostMessage.MaxBytes).Concat((orderBooks ?? []).Select(PostMessage.MaxBytes)).Max();

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        if (item.IsOrderBook)
            return EncodeOrderBook(room, ref item, (ulong)stamp);
        FieldListTemplate fields = templates[item.NextUpdate];
        item.NextUpdate = (ushort)(item.NextUpdate + 1 < templates.Length ? item.NextUpdate + 1 : 0);
        return posts.Encode(room, item.StreamId, fields, (ulong)stamp);
    }

    private readonly int EncodeOrderBook(Span<byte> room, ref RotatingItem item, ulong stamp)
    {
        FieldMapTemplate map = _orderBooks[item.NextUpdate];
        item.NextUpdate = (ushort)(item.NextUpdate + 1 < _orderBooks.Length ? item.NextUpdate + 1 : 0);
        return posts.Encode(room, item.StreamId, map, stamp);
    }
}
