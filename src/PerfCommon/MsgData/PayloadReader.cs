using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>Reads the payload of a message.</summary>
/// <param name="element">Name of the payload's element.</param>
/// <param name="containerType">Name of its container type in message files.</param>
/// <param name="domain">Domain of the messages that have it.</param>
internal abstract class PayloadReader<T>(string element, string containerType, string domain)
{
    public string Element => element;

    public string ContainerType => containerType;

    public string Domain => domain;

    /// <summary>Reads the element at the input's position.</summary>
    public abstract T Read();
}

/// <summary>Reads a <c>&lt;fieldList&gt;</c>, in it the fields.</summary>
internal sealed class FieldListElementReader(XmlInput input, MessageWarnings warnings, FieldEntryReader entries)
    : PayloadReader<FieldListTemplate>("fieldList", "FIELD_LIST", "market price")
{
    public override FieldListTemplate Read()
    {
        AnnouncedCount count = new(input, "entryCount");
        FieldListBuilder list = entries.CreateList();
        foreach (string element in input.Children())
        {
            if (element != "fieldEntry")
            {
                warnings.Skip();
                continue;
            }

            if (!count.Includes())
                continue;
            entries.Read(list);
            foreach (string _ in input.Children())
                warnings.Skip();
        }

        count.Check(warnings);
        return list.Build();
    }
}

/// <summary>Reads a <c>&lt;map&gt;</c>, in it an entry for each order, in each a field list.</summary>
internal sealed class FieldMapElementReader(XmlInput input, MessageWarnings warnings, FieldListElementReader lists)
    : PayloadReader<FieldMapTemplate>("map", "MAP", "market by order")
{
    private const int MaxKeyBytes = 255;
    private const int MaxListBytes = ushort.MaxValue; // wire/rwf 9.2

    public override FieldMapTemplate Read()
    {
        AnnouncedCount count = new(input, "entryCount");
        List<FieldMapEntry> entries = [];
        foreach (string element in input.Children())
        {
            if (element != "mapEntry")
                warnings.Skip();
            else if (!count.Includes())
                continue;
            else if (entries.Count == FieldMapTemplate.MaxEntries)
                throw input.Error($"one entry too many: a map has at most {FieldMapTemplate.MaxEntries}");
            else
                entries.Add(ReadEntry());
        }

        count.Check(warnings);
        return new FieldMapTemplate([.. entries]);
    }

    private FieldMapEntry ReadEntry()
    {
        int line = input.Line;
        byte[] key = ReadKey();
        MapAction action = ReadAction();
        FieldListTemplate? fields = null;
        foreach (string element in input.Children())
        {
            if (element != lists.Element)
                warnings.Skip();
            else if (fields is not null)
                throw input.Error("a second <fieldList> in this <mapEntry>, expected one");
            else
                fields = lists.Read();
        }

        if ((fields is null) != (action == MapAction.Delete))
        {
            throw input.ErrorAt(line,
                fields is null ? "<mapEntry> has no <fieldList>" : "<mapEntry> has action DELETE and a <fieldList>, expected none");
        }

        if (fields?.EncodedBytes > MaxListBytes)
            throw input.ErrorAt(line, $"<mapEntry> has {fields.EncodedBytes} bytes of fields, at most {MaxListBytes} are possible");
        return new FieldMapEntry(action, key, fields);
    }

    private byte[] ReadKey()
    {
        string text = input.Attribute("key") ?? throw input.Error("mapEntry has no attribute key");
        byte[] key = Encoding.UTF8.GetBytes(text);
        return key.Length is > 0 and <= MaxKeyBytes
            ? key
            : throw input.Error($"key \"{PrintableText.From(text)}\" must be 1 to {MaxKeyBytes} bytes");
    }

    private MapAction ReadAction() => input.Attribute("action") switch
    {
        "ADD" => MapAction.Add,
        "UPDATE" => MapAction.Update,
        "DELETE" => MapAction.Delete,
        null => throw input.Error("mapEntry has no attribute action"),
        var other => throw input.Error($"action \"{PrintableText.From(other)}\" is not known, expected ADD, UPDATE or DELETE"),
    };
}
