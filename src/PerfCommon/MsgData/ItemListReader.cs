using System.Globalization;

namespace PerfCommon.MsgData;

/// <summary>Reads the item-list file: <c>&lt;itemList&gt;</c> with <c>&lt;item&gt;</c> children.</summary>
internal static class ItemListReader
{
    private const int MaxReserved = 100_000; // a count is not trusted for allocation

    public static ItemList Read(XmlInput input, int count)
    {
        input.ReadRoot("itemList");
        ItemList.Builder items = new();
        HashSet<int> hashes = new(Math.Min(count, MaxReserved)); // of the names: smaller than a set of strings
        int listDepth = input.EnterElement();
        while (items.Count < count)
        {
            input.Subject = string.Create(CultureInfo.InvariantCulture, $"item {items.Count + 1}: ");
            if (!input.ReadChild(listDepth))
                break;

            ReadItem(input, items, hashes);
        }

        input.Subject = "";
        return items.Count == count
            ? items.Build()
            : throw input.Error($"found {items.Count} items, {count} are needed");
    }

    private static void ReadItem(XmlInput input, ItemList.Builder items, HashSet<int> hashes)
    {
        if (input.Name != "item")
            throw input.Error($"unknown element <{PrintableText.From(input.Name)}>, expected <item>");

        (string name, ItemFlags flags) = ReadAttributes(input);
        if ((flags & ItemFlags.Snapshot) != 0 && (flags & (ItemFlags.Post | ItemFlags.GenMsg)) != 0)
            throw input.Error($"is a snapshot, so it cannot have {((flags & ItemFlags.Post) != 0 ? "post" : "generic")}");
        if (!items.TryAdd(name, flags))
            throw input.Error($"name \"{PrintableText.From(name)}\" must be 1 to {ItemList.MaxNameBytes} bytes");
        if (!hashes.Add(name.GetHashCode(StringComparison.Ordinal)) && items.IndexOf(name) is var first && first < items.Count - 1)
            throw input.Error($"name \"{PrintableText.From(name)}\" is that of item {first + 1} as well");
        if (input.ReadChild(input.EnterElement()))
            throw input.Error($"unknown element <{PrintableText.From(input.Name)}> inside <item>");
    }

    private static (string Name, ItemFlags Flags) ReadAttributes(XmlInput input)
    {
        string? name = null;
        bool domainSeen = false;
        ItemFlags given = ItemFlags.None, flags = ItemFlags.None;
        while (input.ReadAttribute(out string attribute, out string value))
        {
            switch (attribute)
            {
                case "domain":
                    flags |= FlagOfDomain(input, value);
                    domainSeen = true;
                    break;
                case "name":
                    name = value;
                    break;
                default:
                    ItemFlags flag = FlagOf(input, attribute);
                    if ((given & flag) != 0)
                        throw input.Error("generic and genMsg are two names of one attribute, give one of them");
                    given |= flag;
                    flags |= IsTrue(input, attribute, value) ? flag : ItemFlags.None;
                    break;
            }
        }

        if (!domainSeen)
            throw input.Error("has no domain");
        return (name ?? throw input.Error("has no name"), flags);
    }

    private static ItemFlags FlagOfDomain(XmlInput input, string value) => value switch
    {
        "MarketPrice" => ItemFlags.None,
        "MarketByOrder" => ItemFlags.MarketByOrder,
        "MarketByPrice" => throw input.Error($"domain {value} is not available in this version, only MarketPrice and MarketByOrder"),
        _ => throw input.Error($"unknown domain \"{PrintableText.From(value)}\", expected MarketPrice or MarketByOrder"),
    };

    private static ItemFlags FlagOf(XmlInput input, string attribute) => attribute switch
    {
        "post" => ItemFlags.Post,
        "generic" or "genMsg" => ItemFlags.GenMsg,
        "snapshot" => ItemFlags.Snapshot,
        "private" => ItemFlags.PrivateStream,
        _ => throw input.Error($"unknown attribute {PrintableText.From(attribute)}"),
    };

    private static bool IsTrue(XmlInput input, string attribute, string value) => value switch
    {
        "true" => true,
        "false" => false,
        _ => throw input.Error($"{attribute} is \"{PrintableText.From(value)}\", expected true or false"),
    };
}
