namespace PerfCommon.Codec;

public static partial class RwfPrimitives
{
    /// <summary>Reads a quality of service; bytes after the members its first byte asks for are ignored.</summary>
    /// <param name="content">The content.</param>
    /// <param name="value">The value; default unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
    public static DecodeResult TryReadQos(ReadOnlySpan<byte> content, out RwfQos value)
    {
        value = default;
        if (content.IsEmpty)
            return DecodeResult.Blank;
        RwfReader reader = new(content);
        RwfQos qos = ReadQos(ref reader);
        if (!reader.Good)
            return DecodeResult.Invalid;
        value = qos;
        return DecodeResult.Success;
    }

    /// <summary>Reads a state of 3 bytes or more.</summary>
    /// <param name="content">The content.</param>
    /// <param name="value">The value; default unless the result is Success.</param>
    /// <returns>Success, Blank or Invalid.</returns>
    public static DecodeResult TryReadState(ReadOnlySpan<byte> content, out RwfState value)
    {
        value = default;
        if (content.IsEmpty)
            return DecodeResult.Blank;
        RwfReader reader = new(content);
        RwfState state = ReadState(ref reader);
        if (!reader.Good)
            return DecodeResult.Invalid;
        value = state;
        return DecodeResult.Success;
    }

    // timeliness 3 bits, rate 4 bits, dynamic 1 bit [| timeInfo uint16] [| rateInfo uint16]
    internal static RwfQos ReadQos(scoped ref RwfReader reader)
    {
        byte first = reader.ReadByte();
        RwfQos qos = new((byte)(first >> 5), (byte)((first >> 1) & 0x0F), (first & 1) != 0);
        if (qos.HasTimeInfo)
            qos = qos with { TimeInfo = reader.ReadUInt16() };
        if (qos.HasRateInfo)
            qos = qos with { RateInfo = reader.ReadUInt16() };
        return qos;
    }

    // streamState 5 bits, dataState 3 bits | code | text, rb15 length
    internal static RwfState ReadState(scoped ref RwfReader reader)
    {
        byte states = reader.ReadByte();
        byte code = reader.ReadByte();
        ReadOnlySpan<byte> text = reader.ReadBuf15();
        return new RwfState((StreamState)(states >> 3), (DataState)(states & 7), (StateCode)code, text);
    }
}
