using System.Buffers.Binary;
using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Age of the data.</summary>
internal enum QosTimeliness : byte // wire/rwf 5
{
    Unspecified = 0,
    RealTime = 1,
    DelayedUnknown = 2, // by how much
    Delayed = 3, // by the time information, which follows
}

/// <summary>Rate at which the data changes.</summary>
internal enum QosRate : byte // wire/rwf 5
{
    Unspecified = 0,
    TickByTick = 1,
    JitConflated = 2, // as needed
    TimeConflated = 3, // over the rate information, which follows
}

/// <summary>A quality of service.</summary>
/// <param name="Timeliness">Values of <see cref="QosTimeliness"/>, 0 to 7.</param>
/// <param name="Rate">Values of <see cref="QosRate"/>, 0 to 15.</param>
/// <param name="Dynamic">True when it may change while the stream is open.</param>
/// <param name="TimeInfo">Delay; encoded when the timeliness is above 2.</param>
/// <param name="RateInfo">Interval of conflation; encoded when the rate is above 2.</param>
[DebuggerDisplay("timeliness {Timeliness}, rate {Rate}")]
public readonly record struct RwfQos(byte Timeliness, byte Rate, bool Dynamic = false, ushort TimeInfo = 0, ushort RateInfo = 0)
{
    /// <summary>Real time, tick by tick: the single byte 0x22.</summary>
    public static RwfQos RealTimeTickByTick => new((byte)QosTimeliness.RealTime, (byte)QosRate.TickByTick); // wire/rwf 5

    /// <summary>True when a header may have it: neither part is unspecified.</summary>
    internal bool IsSpecified => Timeliness != (byte)QosTimeliness.Unspecified && Rate != (byte)QosRate.Unspecified; // wire/rwf 2

    /// <summary>True when the delay is encoded.</summary>
    internal bool HasTimeInfo => Timeliness > (byte)QosTimeliness.DelayedUnknown; // wire/rwf 2

    /// <summary>True when the interval of conflation is encoded.</summary>
    internal bool HasRateInfo => Rate > (byte)QosRate.JitConflated; // wire/rwf 2
}

public static partial class RwfPrimitives
{
    /// <summary>Reads a quality of service; bytes after the members that its first byte announces are ignored.</summary>
    public static DecodeResult TryReadQos(ReadOnlySpan<byte> content, out RwfQos value)
    {
        RwfReader reader = new(content);
        RwfQos read = ReadQos(ref reader);
        value = reader.Good ? read : default; // wire/rwf 3
        return OutcomeOf(reader, content);
    }

    // wire/rwf 2
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

public ref partial struct RwfWriter
{
    private const int MaxQosLength = 5; // wire/rwf 2

    /// <summary>Writes a quality of service into the open entry.</summary>
    public bool WriteQos(RwfQos value)
    {
        Span<byte> content = stackalloc byte[MaxQosLength];
        return WriteContent(content[..FillQos(content, value)]);
    }

    private static int FillQos(Span<byte> room, RwfQos value) // wire/rwf 2
    {
        room[0] = (byte)((value.Timeliness << 5) | ((value.Rate & 0x0F) << 1) | (value.Dynamic ? 1 : 0));
        int length = 1;
        if (value.HasTimeInfo)
        {
            BinaryPrimitives.WriteUInt16BigEndian(room[length..], value.TimeInfo);
            length += sizeof(ushort);
        }

        if (!value.HasRateInfo)
            return length;
        BinaryPrimitives.WriteUInt16BigEndian(room[length..], value.RateInfo);
        return length + sizeof(ushort);
    }
}
