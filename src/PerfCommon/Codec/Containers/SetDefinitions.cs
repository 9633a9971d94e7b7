using System.Runtime.CompilerServices;

namespace PerfCommon.Codec;

/// <summary>Set definitions that a map, vector or series carries for its summary and entries.</summary>
/// <remarks>Borrows the message. The default value defines no set: set data is then skipped.</remarks>
public ref struct SetDefinitions
{
    /// <summary>Most definitions in one container.</summary>
    public const int MostDefinitions = 15;

    /// <summary>Highest id of a set that is defined in the message itself.</summary>
    public const int HighestSetId = 15;

    private ReadOnlySpan<byte> _bytes;
    private Starts _starts;

    /// <summary>Container type the sets are laid out for: FieldList or ElementList.</summary>
    public DataType ContainerType { get; private set; }

    /// <summary>Number of definitions.</summary>
    public int Count { get; private set; }

    /// <summary>Reads and checks a buffer of set definitions.</summary>
    /// <param name="bytes">The buffer.</param>
    /// <param name="containerType">Container type of the map, vector or series.</param>
    /// <param name="definitions">The definitions; default unless the result is Success.</param>
    /// <returns>Success, Incomplete or Invalid.</returns>
    public static DecodeResult TryRead(ReadOnlySpan<byte> bytes, DataType containerType, out SetDefinitions definitions)
    {
        definitions = default;
        if (containerType is not (DataType.FieldList or DataType.ElementList))
            return DecodeResult.Invalid;

        // flags | count | count times: setId rb15, entryCount, entries
        RwfReader reader = new(bytes);
        reader.ReadByte();
        int count = reader.ReadByte();
        if (!reader.Good)
            return reader.Result;
        if (count is 0 or > MostDefinitions)
            return DecodeResult.Invalid;

        SetDefinitions read = new() { _bytes = bytes, ContainerType = containerType, Count = count };
        for (int i = 0; i < count; i++)
            read.ReadDefinition(ref reader);
        if (reader.Good)
            definitions = read;
        return reader.Result;
    }

    /// <summary>Finds the definition of a set.</summary>
    /// <param name="setId">Id of the set.</param>
    /// <param name="definition">The definition; default when there is none.</param>
    /// <returns>True when the set is defined.</returns>
    internal readonly bool TryFind(int setId, out SetDefinition definition)
    {
        definition = default;
        if ((uint)setId > HighestSetId || _starts[setId] == 0)
            return false;
        int start = _starts[setId];
        definition = new SetDefinition((byte)setId, _bytes[start - 1], ContainerType, _bytes[start..]);
        return true;
    }

    internal void ReadFrom(scoped ref RwfReader container, DataType containerType)
    {
        ReadOnlySpan<byte> bytes = container.ReadBuf15();
        if (!container.Good)
            return;
        DecodeResult result = TryRead(bytes, containerType, out SetDefinitions read);
        if (result == DecodeResult.Success)
            this = read;
        else
            container.Fail(result);
    }

    private void ReadDefinition(scoped ref RwfReader reader)
    {
        int setId = reader.ReadRb15();
        byte entryCount = reader.ReadByte();
        if (!reader.Good)
            return;
        if (setId > HighestSetId || _starts[setId] != 0)
        {
            reader.Fail(DecodeResult.Invalid);
            return;
        }

        // The entry count stands before the entries, so no start is 0.
        _starts[setId] = (ushort)reader.Position;
        SetDefinitionReader entries = new SetDefinition((byte)setId, entryCount, ContainerType, reader.Rest).OpenEntries();
        DecodeResult result;
        do
            result = entries.TryReadNext(out _);
        while (result == DecodeResult.Success);

        if (result == DecodeResult.EndOfContainer)
            reader.ReadBytes(entries.Position);
        else
            reader.Fail(result);
    }

    [InlineArray(HighestSetId + 1)]
    private struct Starts
    {
        private ushort _start;
    }
}
