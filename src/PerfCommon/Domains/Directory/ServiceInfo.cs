using System.Diagnostics;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The properties of one service in a directory; a member that was not given is null.</summary>
[DebuggerDisplay("{Name} ({Id}), ready {IsReady}")]
public sealed record ServiceInfo
{
    /// <summary>Number of the service in message keys.</summary>
    public ushort Id { get; init; }

    /// <summary>Name of the service; null until INFO is received.</summary>
    public string? Name { get; init; }

    /// <summary>Vendor of the service.</summary>
    public string? Vendor { get; init; }

    /// <summary>First quality of service it offers.</summary>
    public RwfQos? Qos { get; init; }

    /// <summary>Items one connection may open.</summary>
    public ulong? OpenLimit { get; init; }

    /// <summary>True when the service is reported as up.</summary>
    public bool? IsUp { get; init; }

    /// <summary>True when the service is reported to accept requests.</summary>
    public bool? AcceptsRequests { get; init; }

    /// <summary>True when requests can succeed: the service is up, and does not refuse them.</summary>
    public bool IsReady => IsUp == true && AcceptsRequests != false; // wire/domains 3.4
}

/// <summary>Applies one map entry of a directory message to the known properties of the service.</summary>
internal static class ServiceEntry
{
    private const int MaxNameBytes = byte.MaxValue;

    /// <summary>Applies the filters of an entry's filter list in their order; those before an error remain applied.</summary>
    /// <returns>False when the bytes cannot be decoded.</returns>
    public static bool TryApply(ReadOnlySpan<byte> content, ref ServiceInfo service)
    {
        DecodeResult result = FilterListReader.TryOpen(content, out FilterListReader filters);
        while (result == DecodeResult.Success)
        {
            result = filters.TryReadNext(out FilterEntry filter);
            if (result == DecodeResult.Success && !TryApply(filter, ref service))
                return false;
        }

        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }

    /// <summary>Returns the elements of INFO after an entry; empty while there are none.</summary>
    /// <param name="content">The filter list of the entry.</param>
    /// <param name="known">The elements before it.</param>
    // wire/domains 3.3
    public static ReadOnlyMemory<byte> InfoAfter(ReadOnlySpan<byte> content, ReadOnlyMemory<byte> known)
    {
        DecodeResult result = FilterListReader.TryOpen(content, out FilterListReader filters);
        while (result == DecodeResult.Success && (result = filters.TryReadNext(out FilterEntry filter)) == DecodeResult.Success)
        {
            if (filter.Id != DirectoryFilter.InfoId || !filter.HasPayload)
                continue;
            return filter.Action == FilterAction.Update ? ElementLists.Merge(known, filter.Content) : filter.Content.ToArray();
        }

        return known;
    }

    private static bool TryApply(scoped in FilterEntry filter, ref ServiceInfo service)
    {
        if (filter.Action != FilterAction.Update) // wire/domains 3.3
            service = Clear(filter.Id, service);
        ElementHandler<ServiceInfo>? take = filter.Id switch
        {
            DirectoryFilter.InfoId => TryReadInfo,
            DirectoryFilter.StateId => TryReadState,
            DirectoryFilter.LoadId => TryReadLoad,
            _ => null,
        };
        if (!filter.HasPayload || take is null)
            return true;
        // wire/domains 3.2
        return filter.ContainerType == DataType.ElementList && ElementLists.TryRead(filter.Content, default, ref service, take);
    }

    private static ServiceInfo Clear(byte filterId, ServiceInfo service) => filterId switch
    {
        DirectoryFilter.InfoId => service with { Name = null, Vendor = null, Qos = null },
        DirectoryFilter.StateId => service with { IsUp = null, AcceptsRequests = null },
        DirectoryFilter.LoadId => service with { OpenLimit = null },
        _ => service,
    };

    private static bool TryReadInfo(scoped in ElementEntry element, ref ServiceInfo service)
    {
        ReadOnlySpan<byte> name = element.Name;
        if (name.SequenceEqual(DirectoryElements.Name))
            return TryReadName(element, ref service);
        if (name.SequenceEqual(DirectoryElements.Vendor))
            service = service with { Vendor = PrintableText.FromTerminated(element.Content) };
        else
            return !name.SequenceEqual(DirectoryElements.Qos) || TryReadQos(element, ref service);
        return element.Type == DataType.AsciiString; // wire/domains 3.2
    }

    private static bool TryReadName(scoped in ElementEntry element, ref ServiceInfo service)
    {
        ReadOnlySpan<byte> name = element.Content.TrimEnd((byte)0);
        if (element.Type != DataType.AsciiString || name.Length > MaxNameBytes) // wire/domains 3.2
            return false;
        service = service with { Name = Encoding.UTF8.GetString(name) };
        return true;
    }

    private static bool TryReadQos(scoped in ElementEntry element, ref ServiceInfo service)
    {
        if (element.Type != DataType.Array) // wire/domains 3.2
            return false;
        DecodeResult result = ArrayReader.TryOpen(element.Content, out ArrayReader items);
        if (result != DecodeResult.Success || items.TryReadNext(out ReadOnlySpan<byte> first) != DecodeResult.Success)
            return element.Content.IsEmpty || (result == DecodeResult.Success && items.Count == 0);
        if (items.ItemType != DataType.Qos || RwfPrimitives.TryReadQos(first, out RwfQos qos) != DecodeResult.Success) // wire/domains 3.2
            return false;
        service = qos.IsSpecified ? service with { Qos = qos } : service;
        return true;
    }

    private static bool TryReadState(scoped in ElementEntry element, ref ServiceInfo service)
    {
        bool isState = element.Name.SequenceEqual(DirectoryElements.ServiceState);
        if (!isState && !element.Name.SequenceEqual(DirectoryElements.AcceptingRequests))
            return true;
        // wire/domains 3.2
        if (element.Type != DataType.UInt || RwfPrimitives.TryReadUInt(element.Content, out ulong value) != DecodeResult.Success)
            return false;
        service = isState ? service with { IsUp = value == 1 } : service with { AcceptsRequests = value == 1 };
        return true;
    }

    private static bool TryReadLoad(scoped in ElementEntry element, ref ServiceInfo service)
    {
        if (!element.Name.SequenceEqual(DirectoryElements.OpenLimit))
            return true;
        // wire/domains 3.2
        if (element.Type != DataType.UInt || RwfPrimitives.TryReadUInt(element.Content, out ulong value) != DecodeResult.Success)
            return false;
        service = service with { OpenLimit = value };
        return true;
    }
}
