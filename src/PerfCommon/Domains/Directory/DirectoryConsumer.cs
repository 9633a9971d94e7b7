using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Tracks a connection's directory for a consumer that waits for one service by its name.</summary>
/// <param name="serviceName">Name of the service, case-sensitive.</param>
/// <param name="items">Receives states of the service's items, once the service is known; null for no receiver.</param>
internal sealed class DirectoryConsumer(string serviceName, IServiceItems? items = null)
{
    private const int MaxNamesShown = 8;

    private readonly SortedDictionary<ulong, string> _others = []; // the maximum that is printed, and one more
    private ushort? _knownId; // of the service, before the message that is handled now

    /// <summary>The service as known so far; null while it is not offered.</summary>
    public ServiceInfo? Service { get; private set; }

    /// <summary>True while the service exists, is up, and accepts requests.</summary>
    public bool IsReady => Service is { IsReady: true };

    /// <summary>The reason why the service is not ready, as a sentence.</summary>
    public string Shortcoming => Service switch
    {
        { IsUp: not true } => "the provider does not say that it is up",
        { } => "the provider says that it takes no requests",
        null when _others.Count == 0 => "the provider offers no service",
        null => $"the provider offers {string.Join(", ", _others.Values.Take(MaxNamesShown))}{(_others.Count > MaxNamesShown ? ", ..." : "")}",
    };

    /// <summary>Other services whose names are kept.</summary>
    internal int OthersKept => _others.Count;

    /// <summary>Encodes the directory request; 0 when the buffer is too small.</summary>
    public static int EncodeRequest(Span<byte> room) // wire/domains 3.1
    {
        RwfMsg request = new()
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Source,
            StreamId = StreamIds.Directory,
            Flags = RequestFlags.Streaming,
            Key = new MsgKey { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers },
        };
        return DomainMsg.Encode(room, request);
    }

    /// <summary>Handles a message of the directory domain, or a status of the directory stream.</summary>
    /// <returns>Ready when the service came up, Wait while it is not ready (repeated for each message that could have
    /// changed it), Closed, Ignore or Disconnect.</returns>
    public ConversationResult Receive(scoped in RwfMsg msg)
    {
        if (msg.StreamId != StreamIds.Directory)
            return ConversationResult.Ignore;
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh or MsgClass.Status when DomainMsg.EndsStream(msg): // wire/domains 3.3
                Service = null;
                return ConversationResult.Closed($"directory closed: {DomainMsg.Show(msg.State)}");
            case MsgClass.Refresh or MsgClass.Update:
                return ReceiveServices(msg);
            case MsgClass.Request or MsgClass.Close or MsgClass.Post:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the directory stream"); // wire/domains 3.3
            default:
                return ConversationResult.Ignore;
        }
    }

    private ConversationResult ReceiveServices(scoped in RwfMsg msg)
    {
        bool wasReady = IsReady;
        _knownId = Service?.Id;
        if (msg.MsgClass == MsgClass.Refresh && msg.Has(RefreshFlags.ClearCache)) // wire/domains 3.4
        {
            Service = null;
            _others.Clear();
        }

        DirectoryConsumer into = this;
        if (!DirectoryMap.TryRead(msg, ref into,
            static (scoped in MapEntry entry, ushort id, DataType type, ref DirectoryConsumer taker) => taker.TryReadEntry(entry, id, type)))
        {
            return ConversationResult.Disconnect("the service directory cannot be decoded"); // wire/domains 3.4
        }

        if (IsReady)
            return wasReady ? ConversationResult.Ignore : ConversationResult.Ready;
        return ConversationResult.Wait($"Requested service '{serviceName}' not up. Waiting for service to be up...");
    }

    private bool TryReadEntry(scoped in MapEntry entry, ushort id, DataType containerType)
    {
        bool isOurs = Service is not null && Service.Id == id;
        if (entry.Action == MapAction.Delete) // wire/domains 3.3
        {
            Service = isOurs ? null : Service;
            _others.Remove(id);
            return true;
        }

        if (containerType != DataType.FilterList) // wire/domains 3.4
            return false;
        ServiceInfo read = isOurs && entry.Action == MapAction.Update ? Service! : new ServiceInfo { Id = id }; // wire/domains 3.3
        if (!ServiceEntry.TryApply(entry.Content, ref read))
            return false;
        if (items is not null && _knownId == id && !ServiceItemsEntry.TryApply(entry.Content, items)) // wire/domains 5.5
            return false;
        if (read.Name == serviceName) // wire/domains 3.4
            Service = read;
        else
            RecordOther(id, read.Name, isOurs);
        return true;
    }

    private void RecordOther(ulong id, string? name, bool wasOurs)
    {
        if (wasOurs)
            Service = null;
        if (name is not null && _others.Count <= MaxNamesShown)
            _others[id] = PrintableText.From(name);
    }
}
