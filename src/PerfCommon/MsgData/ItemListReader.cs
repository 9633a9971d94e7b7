using System.Globalization;

namespace PerfCommon.MsgData;

/// <summary>Reads the item-list file: <c>&lt;itemList&gt;</c> with <c>&lt;item&gt;</c> children.</summary>
internal static class ItemListReader
{
    public static ItemList Read(XmlInput input, int count)
    {
        input.ReadRoot("itemList");
        ItemList.Builder items = new();
        int listDepth = input.EnterElement();
        while (items.Count < count)
        {
            input.Subject = string.Create(CultureInfo.InvariantCulture, $"item {items.Count + 1}: ");
            if (!input.ReadChild(listDepth))
                break;

            ReadItem(input, items);
        }

        input.Subject = "";
        return items.Count == count
            ? items.Build()
            : throw input.Error($"found {items.Count} items, {count} are needed");
    }

    private static void ReadItem(XmlInput input, ItemList.Builder items)
    {
        if (input.Name != "item")
            throw input.Error($"unknown element <{PrintableText.From(input.Name)}>, expected <item>");

        string? name = null;
        bool domainSeen = false, genMsgSeen = false;
        ItemFlags flags = ItemFlags.None;
        while (input.ReadAttribute(out string attribute, out string value))
        {
            switch (attribute)
            {
                case "domain":
                    CheckDomain(input, value);
                    domainSeen = true;
                    break;
                case "name":
                    name = value;
                    break;
                case "post":
                    flags |= ReadFlag(input, attribute, value, ItemFlags.Post);
                    break;
                case "genMsg" or "generic" when genMsgSeen:
                    throw input.Error("genMsg and generic are two names of one attribute, give one of them");
                case "genMsg" or "generic":
                    flags |= ReadFlag(input, attribute, value, ItemFlags.GenMsg);
                    genMsgSeen = true;
                    break;
                case "snapshot":
                    flags |= ReadFlag(input, attribute, value, ItemFlags.Snapshot);
                    break;
                default:
                    throw input.Error($"unknown attribute {PrintableText.From(attribute)}");
            }
        }

        if (!domainSeen)
            throw input.Error("has no domain");
        if (name is null)
            throw input.Error("has no name");
        if ((flags & ItemFlags.Snapshot) != 0 && flags != ItemFlags.Snapshot)
            throw input.Error($"is a snapshot, so it cannot have {((flags & ItemFlags.Post) != 0 ? "post" : "genMsg")}");
        if (!items.TryAdd(name, flags))
            throw input.Error($"name \"{PrintableText.From(name)}\" must be 1 to {ItemList.MaxNameBytes} bytes");

        if (input.ReadChild(input.EnterElement()))
            throw input.Error($"unknown element <{PrintableText.From(input.Name)}> inside <item>");
    }

    private static void CheckDomain(XmlInput input, string value)
    {
        if (value is "MarketByOrder" or "MarketByPrice")
            throw input.Error($"domain {value} is not available in this version, only MarketPrice");
        if (value != "MarketPrice")
            throw input.Error($"unknown domain \"{PrintableText.From(value)}\", expected MarketPrice");
    }

    private static ItemFlags ReadFlag(XmlInput input, string attribute, string value, ItemFlags flag) => value switch
    {
        "true" => flag,
        "false" => ItemFlags.None,
        _ => throw input.Error($"{attribute} is \"{PrintableText.From(value)}\", expected true or false"),
    };
}
