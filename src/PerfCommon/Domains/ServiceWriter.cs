using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Writes a service into the payload of a directory message.</summary>
internal static class ServiceWriter
{
    private static readonly ulong[] Capabilities = [(ulong)DomainType.Dictionary, (ulong)DomainType.MarketPrice];

    /// <summary>Writes a map with one service, or with none.</summary>
    public static void WriteMap(ref RwfWriter writer, ServiceOffer? service)
    {
        writer.BeginMap(DataType.UInt, DataType.FilterList);
        if (service is not null)
        {
            writer.BeginMapEntry(MapAction.Add, (ulong)service.Id);
            WriteFilters(ref writer, service);
            writer.EndEntry();
        }

        writer.EndMap();
    }

    // All three filters whatever was asked: consumers of other makers look for them in one entry.
    private static void WriteFilters(ref RwfWriter writer, ServiceOffer service)
    {
        writer.BeginFilterList(DataType.ElementList);
        writer.BeginFilterEntry(FilterAction.Set, DirectoryFilter.InfoId);
        WriteInfo(ref writer, service);
        writer.EndEntry();

        writer.BeginFilterEntry(FilterAction.Set, DirectoryFilter.LoadId);
        writer.BeginElementList();
        if (service.OpenLimit != 0)
            writer.WriteUIntElement(DirectoryElements.OpenLimit, service.OpenLimit);
        writer.EndElementList();
        writer.EndEntry();

        writer.BeginFilterEntry(FilterAction.Set, DirectoryFilter.StateId);
        writer.BeginElementList();
        writer.WriteUIntElement(DirectoryElements.ServiceState, 1);
        writer.WriteUIntElement(DirectoryElements.AcceptingRequests, 1);
        writer.EndElementList();
        writer.EndEntry();
        writer.EndFilterList();
    }

    private static void WriteInfo(ref RwfWriter writer, ServiceOffer service)
    {
        writer.BeginElementList();
        writer.WriteAsciiElement(DirectoryElements.Name, Encoding.UTF8.GetBytes(service.Name));
        writer.WriteAsciiElement(DirectoryElements.Vendor, Encoding.UTF8.GetBytes(service.Vendor));
        writer.WriteUIntElement(DirectoryElements.IsSource, 1);

        writer.BeginElement(DirectoryElements.Capabilities, DataType.Array);
        writer.BeginArray(DataType.UInt);
        foreach (ulong domain in Capabilities)
        {
            writer.BeginItem();
            writer.WriteUInt(domain);
        }

        writer.EndArray();
        writer.EndEntry();

        WriteDictionaries(ref writer, DirectoryElements.DictionariesProvided);
        WriteDictionaries(ref writer, DirectoryElements.DictionariesUsed);

        writer.BeginElement(DirectoryElements.Qos, DataType.Array);
        writer.BeginArray(DataType.Qos);
        writer.BeginItem();
        writer.WriteQos(service.Qos);
        writer.EndArray();
        writer.EndEntry();

        writer.WriteUIntElement(DirectoryElements.SupportsQosRange, 0);
        writer.WriteUIntElement(DirectoryElements.SupportsOutOfBandSnapshots, 0);
        writer.EndElementList();
    }

    private static void WriteDictionaries(ref RwfWriter writer, ReadOnlySpan<byte> element)
    {
        writer.BeginElement(element, DataType.Array);
        writer.BeginArray(DataType.AsciiString);
        writer.WriteItem(DictionaryNames.Fields);
        writer.WriteItem(DictionaryNames.Enums);
        writer.EndArray();
        writer.EndEntry();
    }
}
