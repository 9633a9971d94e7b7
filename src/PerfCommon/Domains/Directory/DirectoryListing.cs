using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>All services that one provider announces, as a hub collects them.</summary>
internal sealed class DirectoryListing
{
    private const long MaxKeptBytes = 16 * 1024 * 1024;
    private const int BytesPerService = 512; // beside its elements

    private readonly SortedDictionary<ushort, ListedService> _services = [];

    /// <summary>What is known of each service, by its id.</summary>
    public IReadOnlyCollection<ListedService> Services => _services.Values;

    /// <summary>Takes a refresh, an update or a status of a directory stream.</summary>
    /// <returns>Ready when the services may have changed, Closed, Ignore or Disconnect.</returns>
    public ConversationResult Take(scoped in RwfMsg msg)
    {
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh or MsgClass.Status when DomainMsg.EndsStream(msg): // wire/domains 3.3
                _services.Clear();
                return ConversationResult.Closed($"directory closed: {DomainMsg.Show(msg.State)}");
            case MsgClass.Refresh or MsgClass.Update:
                return TakeServices(msg);
            case MsgClass.Request or MsgClass.Close or MsgClass.Post:
                return ConversationResult.Disconnect($"unexpected {msg.MsgClass} message on the directory stream"); // wire/domains 3.3
            default:
                return ConversationResult.Ignore;
        }
    }

    private ConversationResult TakeServices(scoped in RwfMsg msg)
    {
        if (msg.MsgClass == MsgClass.Refresh && msg.Has(RefreshFlags.ClearCache)) // wire/domains 3.4
            _services.Clear();
        SortedDictionary<ushort, ListedService> services = _services;
        if (!DirectoryMap.TryRead(msg, ref services, TryTake))
            return ConversationResult.Disconnect("the service directory cannot be decoded"); // wire/domains 3.4
        if (_services.Values.Sum(service => (long)BytesPerService + service.InfoElements.Length) <= MaxKeptBytes)
            return ConversationResult.Ready;
        _services.Clear();
        return ConversationResult.Disconnect($"the service directory is larger than the {MaxKeptBytes / (1024 * 1024)} MB that are kept");
    }

    private static bool TryTake(scoped in MapEntry entry, ushort id, DataType containerType,
        ref SortedDictionary<ushort, ListedService> services)
    {
        if (entry.Action == MapAction.Delete) // wire/domains 3.3
        {
            services.Remove(id);
            return true;
        }

        if (containerType != DataType.FilterList) // wire/domains 3.4
            return false;
        bool isChange = entry.Action == MapAction.Update && services.ContainsKey(id);
        ServiceInfo read = isChange ? services[id].Info : new ServiceInfo { Id = id };
        if (!ServiceEntry.TryApply(entry.Content, ref read))
            return false;
        ReadOnlySpan<byte> info = ServiceEntry.FindInfo(entry.Content);
        services[id] = new ListedService(read, info.IsEmpty && isChange ? services[id].InfoElements : info.ToArray());
        return true;
    }
}

/// <summary>A service of a listing.</summary>
/// <param name="Info">What is understood of it.</param>
/// <param name="InfoElements">Everything that INFO says, as its elements came; empty while none came.</param>
internal sealed record ListedService(ServiceInfo Info, ReadOnlyMemory<byte> InfoElements);
