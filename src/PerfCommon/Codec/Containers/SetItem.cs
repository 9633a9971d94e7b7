namespace PerfCommon.Codec;

/// <summary>Finds where the content of one set item lies; the definition gives its type.</summary>
internal static class SetItem
{
    private const byte BlankBit = 0x20;

    /// <summary>Moves past one item.</summary>
    /// <returns>Where the content begins in the reader's range; the length is 0 when the item is blank.</returns>
    public static (int Start, int Length) Read(scoped ref RwfReader reader, DataType type)
    {
        int length = DataTypes.FixedSizeOf(type);
        if (length == 0)
            length = type is DataType.Real4RB or DataType.Real8RB ? RealSize(ref reader, type) : PrefixedSize(ref reader, type);

        int start = reader.Position;
        bool blankReal = type is DataType.Real4RB or DataType.Real8RB && length == 1;
        reader.ReadBytes(length);
        return (start, blankReal ? 0 : length);
    }

    // The first byte, which stays part of the content, holds size and hint; blank is that byte alone.
    private static int RealSize(scoped ref RwfReader reader, DataType type)
    {
        if (reader.Left == 0)
            reader.Fail(DecodeResult.Incomplete);
        if (!reader.Good)
            return 0;
        byte first = reader.Rest[0];
        if ((first & BlankBit) != 0)
            return 1;
        int size = (first >> 6) + 1;
        return 1 + (type == DataType.Real4RB ? size : 2 * size);
    }

    private static int PrefixedSize(scoped ref RwfReader reader, DataType type)
    {
        if (type is >= DataType.Int and <= DataType.Qos && DataTypes.IsPrimitive(type))
            return reader.ReadByte();
        if (DataTypes.IsPrimitive(type) || DataTypes.IsContainer(type))
            return reader.ReadU16ob();
        reader.Fail(DecodeResult.Invalid);
        return 0;
    }
}
