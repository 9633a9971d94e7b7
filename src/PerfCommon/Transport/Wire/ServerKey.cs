using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;

namespace PerfCommon.Transport;

/// <summary>
/// The key block of an ack, and the arithmetic of both keys. The secret is never used: frames are not encrypted with it.
/// </summary>
/// <param name="Modulus">P.</param>
/// <param name="Base">G.</param>
/// <param name="PublicKey">G^a mod P.</param>
internal sealed record ServerKey(ulong Modulus, ulong Base, ulong PublicKey)
{
    public const int ClientKeyBytes = 12; // wire/transport 1.4
    public const int EmptyClientKeyBytes = 4; // wire/transport 1.4

    private const byte KnownType = 1; // wire/transport 1.2
    private const byte KnownLength = 24; // wire/transport 1.2
    private const byte ClientKeyFlag = 0x08; // wire/transport 1.4
    private const ulong Generator = 5; // wire/transport 1.4

    /// <summary>True when both reference clients accept the modulus: 1 to 2^63 - 1.</summary>
    public bool IsUsable => Modulus is >= 1 and <= long.MaxValue; // wire/transport 1.4

    public static ServerKey Create()
    {
        ulong modulus = RandomExponent() | 0x4000_0000_0000_0001; // odd and large, below 2^63
        return new ServerKey(modulus, Generator, Power(Generator, RandomExponent(), modulus));
    }

    /// <summary>Writes type u8, length u8 and the three numbers.</summary>
    /// <returns>Bytes written.</returns>
    public int Write(Span<byte> room)
    {
        room[0] = KnownType;
        room[1] = KnownLength;
        BinaryPrimitives.WriteUInt64BigEndian(room[2..], Modulus);
        BinaryPrimitives.WriteUInt64BigEndian(room[10..], Base);
        BinaryPrimitives.WriteUInt64BigEndian(room[18..], PublicKey);
        return 2 + KnownLength;
    }

    /// <summary>Reads mark, type, length and numbers; null for a key of an unknown type.</summary>
    /// <returns>False when the block exceeds the message or has the wrong length.</returns>
    public static bool TryRead(ref ReadOnlySpan<byte> rest, out ServerKey? key)
    {
        key = null;
        byte type = rest[1];
        rest = rest[2..];
        if (!WireText.TryRead(ref rest, out ReadOnlySpan<byte> numbers))
            return false;
        if (type != KnownType)
            return true;
        if (numbers.Length != KnownLength)
            return false;
        key = new ServerKey(
            BinaryPrimitives.ReadUInt64BigEndian(numbers),
            BinaryPrimitives.ReadUInt64BigEndian(numbers[8..]),
            BinaryPrimitives.ReadUInt64BigEndian(numbers[16..]));
        return true;
    }

    /// <summary>Writes the client's answer: length u16 | 0x08 | key length u8 | G^b mod P, if the key is of a known type.</summary>
    /// <returns>Its length.</returns>
    public static int WriteAnswer(Span<byte> room, ServerKey? key)
    {
        int length = key is null ? EmptyClientKeyBytes : ClientKeyBytes;
        BinaryPrimitives.WriteUInt16BigEndian(room, (ushort)length);
        room[2] = ClientKeyFlag;
        room[3] = (byte)(length - EmptyClientKeyBytes);
        if (key is not null)
            BinaryPrimitives.WriteUInt64BigEndian(room[4..], Power(key.Base, RandomExponent(), key.Modulus));
        return length;
    }

    private static ulong RandomExponent() =>
        Math.Max(1, BinaryPrimitives.ReadUInt64BigEndian(RandomNumberGenerator.GetBytes(sizeof(ulong))) & long.MaxValue);

    private static ulong Power(ulong value, ulong exponent, ulong modulus) => (ulong)BigInteger.ModPow(value, exponent, modulus);
}
