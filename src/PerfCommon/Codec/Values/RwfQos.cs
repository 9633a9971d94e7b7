using System.Buffers.Binary;
using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Age of the data.</summary>
internal enum QosTimeliness : byte
{
    /// <summary>Not said.</summary>
    Unspecified = 0,

    /// <summary>Not delayed.</summary>
    RealTime = 1,

    /// <summary>Delayed, unknown by how much.</summary>
    DelayedUnknown = 2,

    /// <summary>Delayed by the time information, which follows.</summary>
    Delayed = 3,
}

/// <summary>Rate of change of the data.</summary>
internal enum QosRate : byte
{
    /// <summary>Not said.</summary>
    Unspecified = 0,

    /// <summary>Every change.</summary>
    TickByTick = 1,

    /// <summary>Conflated as needed.</summary>
    JitConflated = 2,

    /// <summary>Conflated over the rate information, which follows.</summary>
    TimeConflated = 3,
}

/// <summary>A quality of service.</summary>
/// <param name="Timeliness">Values of <see cref="QosTimeliness"/>, 0 to 7.</param>
/// <param name="Rate">Values of <see cref="QosRate"/>, 0 to 15.</param>
/// <param name="Dynamic">May change while the stream is open.</param>
/// <param name="TimeInfo">Delay; travels when the timeliness is above 2.</param>
/// <param name="RateInfo">Interval of conflation; travels when the rate is above 2.</param>
[DebuggerDisplay("timeliness {Timeliness}, rate {Rate}")]
public readonly record struct RwfQos(byte Timeliness, byte Rate, bool Dynamic = false, ushort TimeInfo = 0, ushort RateInfo = 0)
{
    /// <summary>Real time, tick by tick: the single byte 0x22.</summary>
    public static RwfQos RealTimeTickByTick => new((byte)QosTimeliness.RealTime, (byte)QosRate.TickByTick);

    /// <summary>True when the delay travels.</summary>
    internal bool HasTimeInfo => Timeliness > (byte)QosTimeliness.DelayedUnknown;

    /// <summary>True when the interval of conflation travels.</summary>
    internal bool HasRateInfo => Rate > (byte)QosRate.JitConflated;
}

public static partial class RwfPrimitives
{
    /// <summary>Reads a quality of service; bytes after the members its first byte asks for are ignored.</summary>
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
}

public static partial class RwfContent
{
    /// <summary>Writes a quality of service.</summary>
    /// <returns>1, 3 or 5.</returns>
    public static int WriteQos(Span<byte> room, RwfQos value)
    {
        room[0] = (byte)((value.Timeliness << 5) | ((value.Rate & 0x0F) << 1) | (value.Dynamic ? 1 : 0));
        int length = 1;
        if (value.HasTimeInfo)
        {
            BinaryPrimitives.WriteUInt16BigEndian(room[length..], value.TimeInfo);
            length += sizeof(ushort);
        }

        if (value.HasRateInfo)
        {
            BinaryPrimitives.WriteUInt16BigEndian(room[length..], value.RateInfo);
            length += sizeof(ushort);
        }

        return length;
    }
}

public ref partial struct RwfWriter
{
    /// <summary>Writes a quality of service into the open entry.</summary>
    public bool WriteQos(RwfQos value)
    {
        Span<byte> content = stackalloc byte[RwfContent.MostBytes];
        return WriteContent(content[..RwfContent.WriteQos(content, value)]);
    }
}
