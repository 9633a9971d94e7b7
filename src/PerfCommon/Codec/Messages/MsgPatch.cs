using System.Buffers.Binary;

namespace PerfCommon.Codec;

/// <summary>Replaces members of an encoded message in place; they keep their width, so no byte moves.</summary>
internal static class MsgPatch
{
    // headerSize uint16 | class | domain | streamId int32 | flags
    private const int StreamIdAt = 4; // wire/rwf 10
    private const int FlagsAt = 8; // wire/rwf 10
    private const int ClassAt = 2; // wire/rwf 10
    private const int DomainAt = 3; // wire/rwf 10
    private const byte ClassMask = 0x1F; // wire/rwf 2

    /// <summary>Returns the class of an encoded message.</summary>
    public static MsgClass ClassOf(ReadOnlySpan<byte> message) => (MsgClass)(message[ClassAt] & ClassMask);

    /// <summary>Returns the domain of an encoded message.</summary>
    public static DomainType DomainOf(ReadOnlySpan<byte> message) => (DomainType)message[DomainAt];

    /// <summary>Replaces the stream id.</summary>
    /// <param name="message">An encoded message, or a part of it that holds the id.</param>
    /// <param name="streamId">The new id.</param>
    public static void SetStreamId(Span<byte> message, int streamId) =>
        BinaryPrimitives.WriteInt32BigEndian(message[StreamIdAt..], streamId);

    /// <summary>Sets further bits of a flag word that has two bytes.</summary>
    /// <param name="message">A complete encoded message, its flags 0x80 or more.</param>
    /// <param name="flags">Bits of the low byte; they must announce no member.</param>
    public static void AddToWideFlags(Span<byte> message, byte flags) => message[FlagsAt + 1] |= flags; // wire/rwf 10

    /// <summary>Sets further bits of the low byte of a flag word, whatever its width.</summary>
    /// <param name="message">A complete encoded message.</param>
    /// <param name="flags">Bits below 0x80; they must announce no member.</param>
    public static void AddFlags(Span<byte> message, byte flags) => message[LowFlagsAt(message)] |= flags; // wire/rwf 10

    /// <summary>Clears bits of the low byte of a flag word, whatever its width.</summary>
    /// <inheritdoc cref="AddFlags"/>
    public static void RemoveFlags(Span<byte> message, byte flags) => message[LowFlagsAt(message)] &= (byte)~flags; // wire/rwf 10

    private static int LowFlagsAt(ReadOnlySpan<byte> message) => message[FlagsAt] >= LengthMark.TwoByteRb15 ? FlagsAt + 1 : FlagsAt;

    /// <summary>Replaces the flag word when the new one takes as many bytes as the old one.</summary>
    /// <param name="message">A complete encoded message.</param>
    /// <param name="flags">The new flags; they must announce the members that the message has.</param>
    /// <returns>False when the width differs: nothing is changed then.</returns>
    public static bool TrySetFlags(Span<byte> message, int flags)
    {
        bool wide = message[FlagsAt] >= LengthMark.TwoByteRb15;
        if (flags < 0 || flags > (wide ? LengthMark.MaxRb15 : LengthMark.TwoByteRb15 - 1)) // wire/rwf 10
            return false;
        if (wide)
            BinaryPrimitives.WriteUInt16BigEndian(message[FlagsAt..], (ushort)(flags | 0x8000));
        else
            message[FlagsAt] = (byte)flags;
        return true;
    }
}
