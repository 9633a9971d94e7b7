using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>A service of one of our providers, or one that a hub forwards.</summary>
public sealed record ServiceOffer
{
    // names and values of all other elements, with a reserve
    private const int MaxFixedBytes = 512;

    /// <summary>Name of the service.</summary>
    public required string Name { get; init; }

    /// <summary>Number of the service in message keys, 1 to 65,535.</summary>
    public required ushort Id { get; init; }

    /// <summary>Items one connection may open; 0 announces no limit.</summary>
    public ulong OpenLimit { get; init; }

    /// <summary>Vendor of the service.</summary>
    public string Vendor { get; init; } = "PerfTools";

    /// <summary>Quality of service of every item.</summary>
    public RwfQos Qos { get; init; } = RwfQos.RealTimeTickByTick;

    /// <summary>
    /// Name of the item that lists the names of all items (symbol list); null for none. With one the handler supplies the names, see
    /// <see cref="Sessions.ProviderHandler.SymbolCount"/>.
    /// </summary>
    public string? SymbolList { get; init; }

    /// <summary>True when it has market-by-order items in addition to market price items.</summary>
    public bool HasOrderBooks { get; init; }

    /// <summary>Numbers of the domains to announce, of those it has; null for all.</summary>
    public IReadOnlyList<byte>? Announced { get; init; }

    /// <summary>False while its source is down.</summary>
    internal bool IsUp { get; init; } = true;

    /// <summary>False while it does not accept requests.</summary>
    internal bool AcceptsRequests { get; init; } = true;

    /// <summary>INFO elements as received from its source; empty to derive them from the other members.</summary>
    internal ReadOnlyMemory<byte> InfoElements { get; init; }

    /// <summary>Maximum bytes of its entry in a directory.</summary>
    internal int MaxEntryBytes => InfoElements.Length + Encoding.UTF8.GetByteCount(Name) + Encoding.UTF8.GetByteCount(Vendor)
        + Encoding.UTF8.GetByteCount(SymbolList ?? "") + MaxFixedBytes;

    /// <summary>True when items of this domain may be requested.</summary>
    internal bool Serves(DomainType domain) => domain switch // wire/domains 3.2
    {
        DomainType.MarketPrice => true,
        DomainType.MarketByOrder => HasOrderBooks,
        DomainType.SymbolList => SymbolList is not null,
        _ => false,
    };

    /// <summary>True for the name of its symbol list.</summary>
    internal bool IsSymbolList(ReadOnlySpan<byte> name) =>
        SymbolList is not null && name.SequenceEqual(Encoding.UTF8.GetBytes(SymbolList));
}

/// <summary>Writes a service into the payload of a directory message.</summary>
internal static class ServiceWriter
{
    /// <summary>Writes a map with all services, or with the one of the given id.</summary>
    public static void WriteMap(ref RwfWriter writer, IReadOnlyList<ServiceOffer> services, ushort? onlyId) // wire/domains 3.2
    {
        writer.BeginMap(DataType.UInt, DataType.FilterList);
        foreach (ServiceOffer service in services)
        {
            if (onlyId is not null && service.Id != onlyId) // wire/domains 3.2
                continue;
            writer.BeginMapEntry(MapAction.Add, (ulong)service.Id);
            WriteFilters(ref writer, service);
            writer.EndEntry();
        }

        writer.EndMap();
    }

    // Consumers of other vendors expect all three in one entry.
    private static void WriteFilters(ref RwfWriter writer, ServiceOffer service) // wire/domains 3.4
    {
        writer.BeginFilterList(DataType.ElementList);
        writer.BeginFilterEntry(FilterAction.Set, DirectoryFilter.InfoId);
        if (service.InfoElements.IsEmpty)
        {
            WriteInfo(ref writer, service);
            writer.EndEntry();
        }
        else
        {
            writer.WriteContent(service.InfoElements.Span);
        }

        writer.BeginFilterEntry(FilterAction.Set, DirectoryFilter.LoadId);
        writer.BeginElementList();
        if (service.OpenLimit != 0) // wire/domains 3.2
            writer.WriteUIntElement(DirectoryElements.OpenLimit, service.OpenLimit);
        writer.EndElementList();
        writer.EndEntry();

        writer.BeginFilterEntry(FilterAction.Set, DirectoryFilter.StateId);
        writer.BeginElementList();
        writer.WriteUIntElement(DirectoryElements.ServiceState, service.IsUp ? 1u : 0);
        writer.WriteUIntElement(DirectoryElements.AcceptingRequests, service.AcceptsRequests ? 1u : 0);
        writer.EndElementList();
        writer.EndEntry();
        writer.EndFilterList();
    }

    private static void WriteInfo(ref RwfWriter writer, ServiceOffer service) // wire/domains 3.2
    {
        writer.BeginElementList();
        writer.WriteAsciiElement(DirectoryElements.Name, Encoding.UTF8.GetBytes(service.Name));
        writer.WriteAsciiElement(DirectoryElements.Vendor, Encoding.UTF8.GetBytes(service.Vendor));
        writer.WriteUIntElement(DirectoryElements.IsSource, 1);

        BeginArray(ref writer, DirectoryElements.Capabilities, DataType.UInt);
        WriteCapability(ref writer, service, DomainType.Dictionary);
        WriteCapability(ref writer, service, DomainType.MarketPrice);
        if (service.HasOrderBooks)
            WriteCapability(ref writer, service, DomainType.MarketByOrder);
        if (service.SymbolList is not null)
            WriteCapability(ref writer, service, DomainType.SymbolList);
        EndArray(ref writer);

        WriteDictionaries(ref writer, DirectoryElements.DictionariesProvided);
        WriteDictionaries(ref writer, DirectoryElements.DictionariesUsed);

        BeginArray(ref writer, DirectoryElements.Qos, DataType.Qos);
        writer.BeginItem();
        writer.WriteQos(service.Qos);
        EndArray(ref writer);

        writer.WriteUIntElement(DirectoryElements.SupportsQosRange, 0);
        if (service.SymbolList is { } list)
            writer.WriteAsciiElement(DirectoryElements.ItemList, Encoding.UTF8.GetBytes(list));
        writer.WriteUIntElement(DirectoryElements.SupportsOutOfBandSnapshots, 0);
        writer.EndElementList();
    }

    private static void WriteCapability(ref RwfWriter writer, ServiceOffer service, DomainType domain)
    {
        if (service.Announced is null || service.Announced.Contains((byte)domain))
            writer.WriteItem([(byte)domain]);
    }

    private static void WriteDictionaries(ref RwfWriter writer, ReadOnlySpan<byte> element)
    {
        BeginArray(ref writer, element, DataType.AsciiString);
        writer.WriteItem(DictionaryNames.Fields);
        writer.WriteItem(DictionaryNames.Enums);
        EndArray(ref writer);
    }

    private static void BeginArray(ref RwfWriter writer, ReadOnlySpan<byte> element, DataType itemType)
    {
        writer.BeginElement(element, DataType.Array);
        writer.BeginArray(itemType);
    }

    private static void EndArray(ref RwfWriter writer)
    {
        writer.EndArray();
        writer.EndEntry();
    }
}
