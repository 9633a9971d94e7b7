using System.Diagnostics.CodeAnalysis;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Collects the services that one provider announces, for a hub. A message costs as much as its content, not as all services.</summary>
internal sealed class DirectoryListing
{
    /// <summary>Maximum services of one provider; further ones are ignored.</summary>
    public const int MaxServices = 1_000;

    private const long MaxKeptBytes = 16 * 1024 * 1024;
    private const int BytesPerService = 512; // besides its elements
    private const int MaxInfoBytes = 32 * 1024; // of one service: the entry that is forwarded has a length of two bytes

    private readonly Dictionary<ushort, ListedService> _services = [];
    private readonly List<ushort> _changed = [];
    private long _keptBytes;

    /// <summary>The known services.</summary>
    public IReadOnlyCollection<ListedService> Services => _services.Values;

    /// <summary>Ids of the services that the last message added, changed or removed; an id may occur several times.</summary>
    public IReadOnlyList<ushort> Changed => _changed;

    /// <summary>Entries that were ignored, because there were too many or one was too large.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Finds a service; false when the provider has none of this id.</summary>
    public bool TryFind(ushort id, [NotNullWhen(true)] out ListedService? service) => _services.TryGetValue(id, out service);

    /// <summary>Handles a refresh, an update or a status of a directory stream.</summary>
    /// <returns>Ready when the services may have changed, Closed, Ignore or Disconnect.</returns>
    public ConversationResult Receive(scoped in RwfMsg msg)
    {
        _changed.Clear();
        switch (msg.MsgClass)
        {
            case MsgClass.Refresh or MsgClass.Status when DomainMsg.EndsStream(msg): // wire/domains 3.3
                Clear();
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
        if (msg.MsgClass == MsgClass.Refresh && msg.Has(RefreshFlags.ClearCache)) // wire/domains 3.4
            Clear();
        DirectoryListing listing = this;
        if (!DirectoryMap.TryRead(msg, ref listing,
            static (scoped in MapEntry entry, ushort id, DataType type, ref DirectoryListing into) => into.TryReadEntry(entry, id, type)))
        {
            return ConversationResult.Disconnect("the service directory cannot be decoded"); // wire/domains 3.4
        }

        if (_keptBytes <= MaxKeptBytes)
            return ConversationResult.Ready;
        Clear();
        return ConversationResult.Disconnect($"the service directory is larger than the {MaxKeptBytes / (1024 * 1024)} MB that are kept");
    }

    private bool TryReadEntry(scoped in MapEntry entry, ushort id, DataType containerType)
    {
        _changed.Add(id);
        if (entry.Action == MapAction.Delete) // wire/domains 3.3
        {
            Set(id, null);
            return true;
        }

        if (containerType != DataType.FilterList) // wire/domains 3.4
            return false;
        bool isKnown = _services.TryGetValue(id, out ListedService? known);
        bool isChange = isKnown && entry.Action == MapAction.Update;
        ServiceInfo read = isChange ? known!.Info : new ServiceInfo { Id = id };
        if (!ServiceEntry.TryApply(entry.Content, ref read))
            return false;
        ReadOnlyMemory<byte> info = ServiceEntry.InfoAfter(entry.Content, isChange ? known!.InfoElements : default);
        if (info.Length > MaxInfoBytes || (!isKnown && _services.Count == MaxServices))
            LeftOut++;
        else
            Set(id, new ListedService(read, info));
        return true;
    }

    private void Set(ushort id, ListedService? service)
    {
        if (_services.Remove(id, out ListedService? before))
            _keptBytes -= BytesPerService + before.InfoElements.Length;
        if (service is null)
            return;
        _services.Add(id, service);
        _keptBytes += BytesPerService + service.InfoElements.Length;
    }

    private void Clear()
    {
        _changed.AddRange(_services.Keys);
        _services.Clear();
        _keptBytes = 0;
    }
}

/// <summary>A service of a listing.</summary>
/// <param name="Info">The members that we decode.</param>
/// <param name="InfoElements">All elements of INFO as received last; empty until INFO is received.</param>
internal sealed record ListedService(ServiceInfo Info, ReadOnlyMemory<byte> InfoElements);
