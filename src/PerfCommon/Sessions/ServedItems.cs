using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>
/// Items created in code, by name: requests for them are answered, and published updates of an item are sent to all of its watchers.
/// </summary>
/// <remarks>
/// Its handlers are for sessions of one thread, to which it belongs, too: <see cref="CreateHandler"/> for each consumer of a provider,
/// <see cref="CreatePublisher"/> for a non-interactive provider. Publishing allocates nothing. A refresh has the content of the last
/// <see cref="Set"/>, whatever updates were sent since.
/// </remarks>
public sealed class ServedItems
{
    private readonly ItemNameIndex _names = new();
    private readonly List<FieldListTemplate> _refreshes = [];
    private readonly List<ConsumerAnswers> _consumers = [];
    private readonly List<Announcements> _publishers = [];

    /// <summary>Number of items.</summary>
    public int Count => _refreshes.Count;

    private int MaxRefreshBytes { get; set; }

    /// <summary>Adds an item, or sets another refresh of an existing one, which is sent to all of its watchers.</summary>
    /// <param name="name">Its name, 1 to 255 bytes of UTF-8.</param>
    /// <param name="refresh">Its content; a copy may be set later.</param>
    /// <returns>Its number: from 0, in the order of adding.</returns>
    /// <exception cref="ArgumentException">The name is empty or too long.</exception>
    public int Set(string name, FieldListTemplate refresh)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(refresh);
        byte[] bytes = Encoding.UTF8.GetBytes(name);
        if (bytes.Length is 0 or > ItemList.MaxNameBytes)
            throw new ArgumentException($"name \"{PrintableText.From(name)}\" must be 1 to {ItemList.MaxNameBytes} bytes", nameof(name));
        MaxRefreshBytes = Math.Max(MaxRefreshBytes, refresh.EncodedBytes);
        int item = _names.Find(bytes);
        if (item < 0)
        {
            _names.Add(item = Count, bytes);
            _refreshes.Add(refresh);
            _consumers.ForEach(consumer => consumer.Session.TryAddSymbol(bytes));
            return item;
        }

        _refreshes[item] = refresh;
        _consumers.ForEach(consumer => consumer.Renew(item));
        _publishers.ForEach(publisher => publisher.Renew(item));
        return item;
    }

    /// <summary>Returns the number of an item; -1 for none.</summary>
    public int IndexOf(string name) => _names.Find(Encoding.UTF8.GetBytes(name));

    /// <summary>Sends an update of an item to all watchers to which its refresh was sent.</summary>
    /// <param name="item">Its number.</param>
    /// <param name="update">Its fields.</param>
    /// <param name="stamp">Microseconds of <see cref="Clock"/> for consumers that measure; 0 for none.</param>
    /// <returns>Number of watchers to which it was queued; a watcher without a free output buffer misses it.</returns>
    public int Publish(int item, FieldListTemplate update, ulong stamp = 0)
    {
        int sent = 0;
        foreach (ConsumerAnswers consumer in _consumers)
            sent += consumer.Send(item, update, stamp);
        foreach (Announcements publisher in _publishers)
            sent += publisher.TrySend(item, update, stamp) ? 1 : 0;
        return sent;
    }

    /// <summary>Returns the items by their numbers, as <see cref="PublisherSessionOptions.Items"/>.</summary>
    public ItemList ToList() => ItemList.Create(Enumerable.Range(0, Count).Select(item => Encoding.UTF8.GetString(_names.NameOf(item))));

    /// <summary>Creates the handler of one consumer's session: requests for other names are refused.</summary>
    public ProviderHandler CreateHandler() => new ConsumerAnswers(this);

    /// <summary>
    /// Creates the handler of a publisher's session, whose items are <see cref="ToList"/>; items that are added later are not published there.
    /// </summary>
    public PublisherHandler CreatePublisher()
    {
        Announcements publisher = new(this);
        _publishers.Add(publisher);
        return publisher;
    }

    private sealed class ConsumerAnswers(ServedItems items) : ProviderHandler
    {
        protected internal override int MaxRefreshBytes => items.MaxRefreshBytes;

        protected internal override void OnOpened() => items._consumers.Add(this);

        protected internal override ItemRejection OnRequest(scoped in ItemRequest request) =>
            request.Domain != DomainType.SymbolList && items._names.Find(request.Name) < 0 ? ItemRejection.NotFound : ItemRejection.None;

        protected internal override int SymbolCount => items.Count;

        protected internal override ReadOnlySpan<byte> SymbolAt(int index) => items._names.NameOf(index);

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
            items._refreshes[items._names.Find(Session.NameOf(item))].EncodeList(ref writer);

        protected internal override void OnClosed(Transport.CloseReason reason) => items._consumers.Remove(this);

        // The item may be open several times, on its common stream and on private ones.
        public int Send(int item, FieldListTemplate update, ulong stamp)
        {
            int sent = TrySend(FindStream(item, ItemTraits.None), update, stamp) ? 1 : 0;
            for (int slot = FirstPrivate(item); slot >= 0; slot = Session.Items.FindNext(slot))
                sent += TrySend(slot, update, stamp) ? 1 : 0;
            return sent;
        }

        public void Renew(int item)
        {
            Renew(FindStream(item, ItemTraits.None), Session.Items);
            for (int slot = FirstPrivate(item); slot >= 0; slot = Session.Items.FindNext(slot))
                Renew(slot, Session.Items);
        }

        private int FirstPrivate(int item) => Session.Items.PrivateStreams > 0 ? FindStream(item, ItemTraits.PrivateStream) : -1;

        private static void Renew(int slot, ProviderItems open)
        {
            if (slot >= 0 && open.IsUpdating(slot))
                open.EnqueueRefresh(slot, solicited: false);
        }

        private bool TrySend(int slot, FieldListTemplate update, ulong stamp) =>
            slot >= 0 && Session.Items.IsUpdating(slot) && Session.TrySendUpdate(slot, update, stamp);

        private int FindStream(int item, ItemTraits key) => Session.Items.FindName(items._names.NameOf(item), key);
    }

    private sealed class Announcements(ServedItems items) : PublisherHandler
    {
        protected internal override int MaxRefreshBytes => items.MaxRefreshBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => items._refreshes[item].EncodeList(ref writer);

        public bool TrySend(int item, FieldListTemplate update, ulong stamp) =>
            IsUpdating(item) && Session.TrySendUpdate(item, update, stamp);

        public void Renew(int item)
        {
            if (IsUpdating(item))
                Session.Items.EnqueueRefresh(item, solicited: false);
        }

        private bool IsUpdating(int item) => item < Session.ItemCount && Session.Items.IsUpdating(item);
    }
}
