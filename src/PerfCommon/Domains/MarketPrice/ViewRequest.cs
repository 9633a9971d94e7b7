using System.Buffers.Binary;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Reads and writes the fields that the payload of a request selects.</summary>
internal static class ViewRequest // wire/domains 5.9
{
    /// <summary>Values of <c>:ViewType</c>: ids of fields, or names of elements.</summary>
    private const ulong FieldIdList = 1;

    // of the list around the ids: flags, count, names, types and lengths of two elements, head of the array
    private const int ListBytes = 64;

    private static ReadOnlySpan<byte> TypeName => ":ViewType"u8;

    private static ReadOnlySpan<byte> DataName => ":ViewData"u8;

    /// <summary>Returns the bytes of the payload of a view.</summary>
    public static int MaxBytes(FieldView view) => ListBytes + (view.Count * sizeof(short));

    /// <summary>Finds the view of a request.</summary>
    /// <remarks>Every view includes the stamps, so that latency can be measured.</remarks>
    /// <param name="request">The request.</param>
    /// <param name="view">The view; null for all fields, or with <see cref="ViewChange.None"/>.</param>
    /// <returns>Effect on the view of the stream.</returns>
    public static ViewChange Read(scoped in ItemRequest request, out FieldView? view)
    {
        view = null;
        if ((request.Flags & RequestFlags.HasView) == 0)
            return ViewChange.Set;
        ulong type = FieldIdList;
        List<short>? fieldIds = null;
        DecodeResult result = request.ContainerType == DataType.ElementList
            ? ElementListReader.TryOpen(request.Payload, out ElementListReader elements) : Fail(out elements);
        while (result == DecodeResult.Success && (result = elements.TryReadNext(out ElementEntry element)) == DecodeResult.Success)
        {
            if (element.Name.SequenceEqual(TypeName))
                ElementLists.TryReadUInt(element, out type);
            else if (element.Name.SequenceEqual(DataName))
                fieldIds = ReadFieldIds(element);
        }

        if (fieldIds is null)
            return ViewChange.None;
        if (type == FieldIdList)
            view = new FieldView(fieldIds.Concat(StampFields.Ids));
        return ViewChange.Set;
    }

    /// <summary>Writes the payload that requests a view.</summary>
    public static void Write(ref RwfWriter writer, FieldView view)
    {
        writer.BeginElementList();
        WriteElements(ref writer, view);
        writer.EndElementList();
    }

    /// <summary>Writes the elements of a view into the open list.</summary>
    public static void WriteElements(ref RwfWriter writer, FieldView view)
    {
        writer.WriteUIntElement(TypeName, FieldIdList);
        writer.BeginElement(DataName, DataType.Array);
        writer.BeginArray(DataType.Int, sizeof(short));
        Span<byte> bytes = stackalloc byte[sizeof(short)];
        foreach (short fieldId in view.FieldIds)
        {
            BinaryPrimitives.WriteInt16BigEndian(bytes, fieldId);
            writer.WriteItem(bytes);
        }

        writer.EndArray();
        writer.EndEntry();
    }

    private static DecodeResult Fail(out ElementListReader elements)
    {
        elements = default;
        return DecodeResult.NoData;
    }

    // Reads the field ids; null where it is no list of numbers; numbers that cannot be field ids are omitted.
    private static List<short>? ReadFieldIds(scoped in ElementEntry element)
    {
        if (element.Type != DataType.Array || ArrayReader.TryOpen(element.Content, out ArrayReader numbers) != DecodeResult.Success
            || numbers.ItemType != DataType.Int)
        {
            return null;
        }

        List<short> fieldIds = [];
        while (numbers.TryReadNext(out ReadOnlySpan<byte> content) == DecodeResult.Success)
        {
            if (RwfPrimitives.TryReadInt(content, out long number) == DecodeResult.Success && number is >= short.MinValue and <= short.MaxValue)
                fieldIds.Add((short)number);
        }

        return fieldIds;
    }
}

/// <summary>Effect of a request on the view of its stream.</summary>
internal enum ViewChange : byte
{
    /// <summary>The view is unchanged.</summary>
    None,

    /// <summary>The view is replaced or removed.</summary>
    Set,
}
