using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfHub.Upstream;

/// <summary>The part of an item that some of its watchers receive: fewer fields, the same on private streams, or only the item's existence.</summary>
/// <param name="View">The fields, one object for each distinct view; null for all.</param>
/// <param name="IsPrivate">True where images and statuses state that the stream is private.</param>
/// <param name="IsStandby">True where another server is the active one: images have no content, and there are no updates.</param>
internal readonly record struct ItemForm(FieldView? View, bool IsPrivate, bool IsStandby = false);

/// <summary>
/// The forms of the items of one source thread. Each form with watchers has a slot, so session threads handle it like any other item: a message is
/// encoded once for each form, not for each watcher.
/// </summary>
/// <remarks>One owner thread; a result is valid until the next call.</remarks>
/// <param name="items">The table of slots.</param>
internal sealed class ItemForms(ItemTable items)
{
    // More than a wider flag word adds to a header.
    private const int Slack = 16;
    private const int MaxBlankBytes = 64;

    private readonly Dictionary<DomainType, byte[]> _blanks = [];

    private byte[] _room = new byte[4_096];

    /// <summary>Bytes of all forms.</summary>
    public long HeldBytes { get; private set; }

    /// <summary>Opens the form of an item for a watcher; the item itself when the form changes nothing.</summary>
    /// <param name="item">An item, no form.</param>
    /// <param name="form">The form; only market price has views.</param>
    public CachedItem Open(CachedItem item, ItemForm form)
    {
        if (Normalize(item, form) is not { } wanted)
            return item;
        foreach (CachedItem known in item.Forms ??= [])
        {
            if (known.Form == wanted)
                return known;
        }

        CachedItem opened = new(items, item.Service, item.Name, item.Domain) { Of = item, Form = wanted };
        items.Enter(opened);
        item.Forms.Add(opened);
        items.StateOf(item.Slot).HasForms = true;
        HeldBytes += opened.HeldBytes;
        return opened;
    }

    /// <summary>Returns the part of an item that a stream receives which requests a form.</summary>
    public static ItemForm Of(CachedItem item, ItemForm form) => Normalize(item, form) ?? default;

    /// <summary>Removes a watcher from an item, or from a form of it; a form without watchers is removed.</summary>
    /// <returns>The item itself.</returns>
    public CachedItem Leave(CachedItem watched, int session)
    {
        watched.RemoveWatcher(session);
        if (watched is not { Of: { } item, Watchers: 0 })
            return watched.Of ?? watched;
        item.Forms!.Remove(watched);
        HeldBytes -= watched.HeldBytes;
        items.Remove(watched);
        if (item.Forms.Count > 0)
            return item;
        item.Forms = null;
        items.StateOf(item.Slot).HasForms = false;
        return item;
    }

    /// <summary>Encodes a message for all watchers of a form.</summary>
    /// <param name="form">The form.</param>
    /// <param name="message">An update or a reflection, a status, or a generic message, which is not changed.</param>
    /// <returns>The message; empty when it is not sent: an update with none of the fields, or while they stand by.</returns>
    public ReadOnlySpan<byte> Shape(CachedItem form, ReadOnlySpan<byte> message)
    {
        MsgClass kind = MsgPatch.ClassOf(message);
        if (kind == MsgClass.Update)
            return form.Form.IsStandby ? default : form.Form.View is { } view ? Filter(message, view) : message;
        if (kind is not (MsgClass.Status or MsgClass.Refresh) || RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success)
            return message;
        if (form.Form.IsPrivate)
            message = AsPrivate(msg);
        return kind == MsgClass.Refresh && form.Form.View is { } fields ? Filter(message, fields) : message;
    }

    /// <summary>Returns the message with the flag of a private stream, which a source may have left out.</summary>
    public ReadOnlySpan<byte> AsPrivate(scoped in RwfMsg msg)
    {
        RwfMsg changed = msg;
        changed.Flags |= PrivateFlagOf(msg.MsgClass);
        RwfWriter writer = new(Room(msg.Message.Length));
        bool isWritten = writer.TryWriteHeader(changed) && writer.WriteRaw(msg.Payload);
        return isWritten ? _room.AsSpan(0, writer.Written) : msg.Message; // see MessageTranslator
    }

    /// <summary>Returns an image without content, for consumers that another server serves meanwhile.</summary>
    public ReadOnlySpan<byte> BlankOf(DomainType domain) // wire/domains 5.11
    {
        if (!_blanks.TryGetValue(domain, out byte[]? blank))
        {
            Span<byte> room = stackalloc byte[MaxBlankBytes];
            RwfWriter writer = new(room);
            MarketPriceHeaders.WriteBlankPayload(ref writer, domain);
            _blanks.Add(domain, blank = room[..writer.Written].ToArray());
        }

        return blank;
    }

    /// <summary>Returns the flag by which a message of a class states that its stream is private; 0 where it has none.</summary>
    public static int PrivateFlagOf(MsgClass msgClass) => msgClass switch
    {
        MsgClass.Refresh => RefreshFlags.PrivateStream,
        MsgClass.Status => StatusFlags.PrivateStream,
        MsgClass.Ack => AckFlags.PrivateStream,
        _ => 0,
    };

    // An update with none of the fields is not sent; any other message is sent with those it has.
    private ReadOnlySpan<byte> Filter(ReadOnlySpan<byte> message, FieldView view)
    {
        (DataType type, int payloadAt) = PayloadOf(message);
        if (type != DataType.FieldList)
            return message;
        Span<byte> room = Room(message.Length);
        message[..payloadAt].CopyTo(room);
        int bytes = FieldListFilter.Copy(message[payloadAt..], room[payloadAt..message.Length], view, out int kept);
        bool isUpdate = MsgPatch.ClassOf(message) == MsgClass.Update;
        return kept == 0 && isUpdate && message.Length > payloadAt ? default : room[..(payloadAt + bytes)];
    }

    private static (DataType Type, int PayloadAt) PayloadOf(ReadOnlySpan<byte> message)
    {
        if (UpdateHeader.TryRead(message, out UpdateHeader update))
            return (update.ContainerType, update.PayloadStart);
        return RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success ? (msg.ContainerType, msg.PayloadStart) : default;
    }

    // A message may be in the buffer itself: the buffer is kept then.
    private Span<byte> Room(int bytes)
    {
        if (_room.Length < bytes + Slack)
            Array.Resize(ref _room, bytes + Slack);
        return _room;
    }

    // Null where the form is the item itself.
    private static ItemForm? Normalize(CachedItem item, ItemForm form)
    {
        ItemForm wanted = new(item.Domain == DomainType.MarketPrice ? form.View : null, form.IsPrivate && !item.Terms.IsPrivate, form.IsStandby);
        return wanted == default ? null : wanted;
    }
}
