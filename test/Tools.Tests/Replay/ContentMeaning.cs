using System.Text;
using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>
/// The attributes of a login and the services of a directory, sorted: the wire's order is free (domains.md 1, 3.2).
/// </summary>
internal static class ContentMeaning
{
    /// <summary>The content as text; empty for messages whose content is not compared.</summary>
    public static string Of(scoped in RwfMsg msg)
    {
        if (msg.DomainType == DomainType.Login && msg.Key.AttribType == DataType.ElementList && !msg.Key.Attrib.IsEmpty)
            return OfElements(msg.Key.Attrib, isLoginRequest: msg.MsgClass == MsgClass.Request);
        if (msg is { DomainType: DomainType.Login, MsgClass: MsgClass.Generic })
            return Convert.ToHexString(msg.Payload); // a round trip comes back byte for byte
        return msg.DomainType == DomainType.Source && msg.ContainerType == DataType.Map ? OfServices(msg.Payload) : "";
    }

    private static string OfServices(ReadOnlySpan<byte> payload)
    {
        SortedDictionary<ulong, string> services = [];
        Check(MapReader.TryOpen(payload, out MapReader map));
        while (map.TryReadNext(out MapEntry entry) == DecodeResult.Success)
        {
            Check(RwfPrimitives.TryReadUInt(entry.Key, out ulong id));
            services.Add(id, $"service {id} {entry.Action} {(entry.Action == MapAction.Delete ? "" : OfFilters(entry.Content))}");
        }

        return string.Join("; ", services.Values);
    }

    private static string OfFilters(ReadOnlySpan<byte> payload)
    {
        SortedDictionary<byte, string> filters = [];
        Check(FilterListReader.TryOpen(payload, out FilterListReader list));
        while (list.TryReadNext(out FilterEntry entry) == DecodeResult.Success)
        {
            filters.Add(entry.Id,
                $"filter {entry.Id} {entry.Action} {(entry.ContainerType == DataType.ElementList ? OfElements(entry.Content) : "")}");
        }

        return string.Join(" ", filters.Values);
    }

    private static string OfElements(ReadOnlySpan<byte> payload, bool isLoginRequest = false)
    {
        SortedDictionary<string, string> elements = new(StringComparer.Ordinal);
        Check(ElementListReader.TryOpen(payload, out ElementListReader list));
        while (list.TryReadNext(out ElementEntry entry) == DecodeResult.Success)
        {
            string name = Encoding.ASCII.GetString(entry.Name);
            IEnumerable<string> values = entry.Type == DataType.Array ? ItemsOf(entry.Content) : [ValueOf(entry.Type, entry.Content)];
            if (AllowedDifferences.IsCompared(name))
            {
                elements.Add(name,
                    string.Join(",", values.Where(value => AllowedDifferences.IsCompared(name, value)).Order(StringComparer.Ordinal)));
            }
        }

        if (isLoginRequest)
            elements.TryAdd("Role", AllowedDifferences.AbsentRole);
        return $"({string.Join(" ", elements.Select(element => $"{element.Key}={element.Value}"))})";
    }

    private static List<string> ItemsOf(ReadOnlySpan<byte> content)
    {
        List<string> items = [];
        Check(ArrayReader.TryOpen(content, out ArrayReader array));
        while (array.TryReadNext(out ReadOnlySpan<byte> item) == DecodeResult.Success)
            items.Add(ValueOf(array.ItemType, item));
        return items;
    }

    private static string ValueOf(DataType type, ReadOnlySpan<byte> content)
    {
        if (type == DataType.UInt && RwfPrimitives.TryReadUInt(content, out ulong number) == DecodeResult.Success)
            return FormattableString.Invariant($"{number}");
        return type == DataType.AsciiString ? Encoding.ASCII.GetString(content) : $"{type}:{Convert.ToHexString(content)}";
    }

    private static void Check(DecodeResult result)
    {
        if (result is not (DecodeResult.Success or DecodeResult.NoData or DecodeResult.Blank))
            throw new InvalidDataException($"content of a login or directory: {result}");
    }
}
