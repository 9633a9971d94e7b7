namespace PerfCommon.MsgData;

/// <summary>Reads what stands inside one message element: <c>dataBody</c>, in it <c>fieldList</c>, in it the fields.</summary>
internal sealed class MessageBodyReader(XmlInput input, MessageWarnings warnings, FieldEntryReader entries)
{
    /// <summary>Reads the message element that the input stands at.</summary>
    public FieldListTemplate ReadMessage()
    {
        string message = input.Name;
        int line = input.Line;
        FieldListTemplate? list = null;
        CheckContainerType();
        foreach (string element in input.Children())
        {
            if (element != "dataBody")
                PassOver();
            else
                ReadBody(ref list);
        }

        return list ?? throw input.ErrorAt(line, $"<{message}> has no <fieldList>");
    }

    /// <summary>Passes over an element nobody knows here, with a warning.</summary>
    public void PassOver()
    {
        warnings.Add("element", $"<{input.Name}>");
        input.SkipElement();
    }

    private void ReadBody(ref FieldListTemplate? list)
    {
        CheckContainerType();
        foreach (string element in input.Children())
        {
            if (element != "fieldList")
                PassOver();
            else if (list is not null)
                throw input.Error("a second <fieldList> in this message, expected one");
            else
                list = ReadFieldList();
        }
    }

    private FieldListTemplate ReadFieldList()
    {
        int line = input.Line;
        string? count = input.Attribute("entryCount");
        FieldListBuilder list = entries.CreateList();
        foreach (string element in input.Children())
        {
            if (element != "fieldEntry")
            {
                PassOver();
                continue;
            }

            entries.Read(list);
            foreach (string _ in input.Children())
                PassOver();
        }

        input.CheckCount(line, "entryCount", count, list.Count);
        return list.Build();
    }

    // Not an attribute of the format, but tolerated where it says what is so anyway.
    private void CheckContainerType()
    {
        string? type = input.Attribute("containerType");
        if (type is not (null or "FIELD_LIST" or "RSSL_DT_FIELD_LIST"))
            throw input.Error($"containerType is \"{PrintableText.From(type)}\", a market price message holds a FIELD_LIST");
    }
}
