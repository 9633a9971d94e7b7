using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;

namespace PerfCommon.Transport.WebSockets;

/// <summary>Masks and unmasks the payload of client frames, with a new random key for each.</summary>
internal sealed class WebSocketMask
{
    private const int KeysAtOnce = 256;

    private byte[] _random = []; // a server never needs it
    private int _used;

    /// <summary>Returns an unpredictable key, as 4 bytes in little-endian order.</summary>
    public uint NextKey()
    {
        if (_used == _random.Length)
        {
            if (_random.Length == 0)
                _random = new byte[KeysAtOnce * sizeof(uint)];
            RandomNumberGenerator.Fill(_random);
            _used = 0;
        }

        uint key = BinaryPrimitives.ReadUInt32LittleEndian(_random.AsSpan(_used));
        _used += sizeof(uint);
        return key;
    }

    /// <summary>Copies bytes and masks or unmasks them.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="target">Buffer of the same length.</param>
    /// <param name="key">The key; its first byte is the lowest.</param>
    /// <returns>The key for the bytes that follow these.</returns>
    public static uint Apply(ReadOnlySpan<byte> source, Span<byte> target, uint key)
    {
        int count = source.Length;
        if (key == 0)
        {
            source.CopyTo(target);
            return 0;
        }

        ulong wide = key | (ulong)key << 32;
        while (source.Length >= sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(target, BinaryPrimitives.ReadUInt64LittleEndian(source) ^ wide);
            source = source[sizeof(ulong)..];
            target = target[sizeof(ulong)..];
        }

        for (int i = 0; i < source.Length; i++)
            target[i] = (byte)(source[i] ^ (byte)(wide >> 8 * i));
        return BitOperations.RotateRight(key, 8 * (count % sizeof(uint)));
    }
}
