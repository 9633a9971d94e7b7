namespace PerfCommon.MsgData;

/// <summary>Reads the content of one message element: <c>dataBody</c> and in it the payload.</summary>
/// <param name="input">The file.</param>
/// <param name="warnings">Receives warnings about ignored content.</param>
/// <param name="payload">Reader of the payload.</param>
internal sealed class MessageBodyReader<T>(XmlInput input, MessageWarnings warnings, PayloadReader<T> payload)
    where T : class
{
    /// <summary>Reads the message element at the input's position.</summary>
    public T ReadMessage()
    {
        string message = input.Name;
        int line = input.Line;
        T? read = null;
        CheckContainerType();
        foreach (string element in input.Children())
        {
            if (element != "dataBody")
                warnings.Skip();
            else
                ReadBody(ref read);
        }

        return read ?? throw input.ErrorAt(line, $"<{message}> has no <{payload.Element}>");
    }

    private void ReadBody(ref T? read)
    {
        CheckContainerType();
        foreach (string element in input.Children())
        {
            if (element != payload.Element)
                warnings.Skip();
            else if (read is not null)
                throw input.Error($"a second <{element}> in this message, expected one");
            else
                read = payload.Read();
        }
    }

    // The attribute is not part of the format, but accepted where it states the actual type.
    private void CheckContainerType()
    {
        string? type = input.Attribute("containerType");
        if (type is not null && type != payload.ContainerType && type != $"RSSL_DT_{payload.ContainerType}")
        {
            throw input.Error(
                $"containerType is \"{PrintableText.From(type)}\", a {payload.Domain} message holds a {payload.ContainerType}");
        }
    }
}
