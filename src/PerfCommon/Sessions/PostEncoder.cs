using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>Makes the posts of a consumer: in turn over the items it posts to, each item its templates in turn.</summary>
/// <param name="items">The items that are posted to.</param>
/// <param name="templates">The updates in the posts, at least one.</param>
/// <param name="posts">Whose posts they are.</param>
/// <param name="directory">Where the consumer learns that its service is down, which pauses the posts.</param>
internal struct PostEncoder(ItemRotation items, FieldListTemplate[] templates, PostMessage posts, DirectoryConsumer directory) : IMessageEncoder
{
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0 && directory.IsReady;

    public readonly int MaxBytes { get; } = templates.Max(PostMessage.MaxBytes);

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        FieldListTemplate fields = templates[item.NextUpdate];
        item.NextUpdate = (ushort)(item.NextUpdate + 1 < templates.Length ? item.NextUpdate + 1 : 0);
        return posts.Encode(room, item.StreamId, fields, (ulong)stamp);
    }
}
