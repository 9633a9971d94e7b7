namespace PerfCommon.MsgData;

/// <summary>Reads what stands inside one message element: <c>dataBody</c>, in it the payload.</summary>
/// <param name="input">The file.</param>
/// <param name="warnings">What is passed over.</param>
/// <param name="payload">What the payload is.</param>
internal sealed class MessageBodyReader<T>(XmlInput input, MessageWarnings warnings, PayloadReader<T> payload)
    where T : class
{
    /// <summary>Reads the message element that the input stands at.</summary>
    public T ReadMessage()
    {
        string message = input.Name;
        int line = input.Line;
        T? read = null;
        CheckContainerType();
        foreach (string element in input.Children())
        {
            if (element != "dataBody")
                warnings.PassOver();
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
                warnings.PassOver();
            else if (read is not null)
                throw input.Error($"a second <{element}> in this message, expected one");
            else
                read = payload.Read();
        }
    }

    // Not an attribute of the format, but tolerated where it says what is so anyway.
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
