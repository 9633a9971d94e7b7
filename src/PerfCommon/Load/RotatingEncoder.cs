using System.Runtime.CompilerServices;
using PerfCommon.Domains;
using PerfCommon.MsgData;

namespace PerfCommon.Load;

/// <summary>
/// Encodes messages of one kind for one connection, of either side: in turn over the items that receive them, for each item its templates in
/// turn.
/// </summary>
/// <typeparam name="TMessage">Kind of the messages.</typeparam>
/// <param name="message">The messages.</param>
/// <param name="items">The items that receive them.</param>
/// <param name="templates">Those of market price, at least one where there are such items.</param>
/// <param name="orderBooks">Those of market by order; at least one where there are such items.</param>
/// <param name="views">The views that items may have; null for none.</param>
/// <param name="directory">The directory by which a consumer detects that its service is down, which pauses it; null for a provider.</param>
internal struct RotatingEncoder<TMessage>(TMessage message, ItemRotation items, FieldListTemplate[] templates,
    FieldMapTemplate[]? orderBooks = null, ItemViews? views = null, DirectoryConsumer? directory = null) : IMessageEncoder
    where TMessage : struct, IStampedMessage
{
    private readonly FieldMapTemplate[] _orderBooks = orderBooks ?? [];
    private readonly ViewedTemplates<FieldListTemplate>? _viewed = views is null ? null : CreateViewed(views, templates);
    private int _cursor;

    public readonly bool HasTargets => items.Count > 0 && directory is not { IsReady: false };

    public readonly int MaxBytes { get; } = FindMaxBytes(message, templates, orderBooks ?? []);

    public int Encode(Span<byte> room, long stamp)
    {
        Span<RotatingItem> rotating = items.Items;
        if (_cursor >= rotating.Length)
            _cursor = 0;
        ref RotatingItem item = ref rotating[_cursor++];
        if (item.IsSpecial)
            return EncodeSpecial(room, ref item, (ulong)stamp);
        FieldListTemplate fields = templates[TMessage.TakeTurn(ref item, templates.Length)];
        return message.Encode(room, item.StreamId, fields, (ulong)stamp);
    }

    private static int FindMaxBytes(TMessage message, FieldListTemplate[] templates, FieldMapTemplate[] orderBooks) =>
        templates.Select(fields => message.MaxBytes(fields)).Concat(orderBooks.Select(map => message.MaxBytes(map))).Max();

    private static ViewedTemplates<FieldListTemplate> CreateViewed(ItemViews views, FieldListTemplate[] all) =>
        new(views, view => Array.ConvertAll(all, fields => fields.Select(view)));

    [MethodImpl(MethodImplOptions.NoInlining)] // keeps the loop's registers for field lists
    private readonly int EncodeSpecial(Span<byte> room, ref RotatingItem item, ulong stamp)
    {
        if (item.IsOrderBook)
            return message.Encode(room, item.StreamId, _orderBooks[TMessage.TakeTurn(ref item, _orderBooks.Length)], stamp);
        FieldListTemplate[] viewed = _viewed?.Of(item.Slot) ?? templates;
        return message.Encode(room, item.StreamId, viewed[TMessage.TakeTurn(ref item, viewed.Length)], stamp);
    }
}
