using System.Buffers.Binary;
using System.Security.Cryptography;

namespace PerfTools.Hosting.Clocks;

/// <summary>The kinds of clock messages.</summary>
internal enum ClockMessageKind : byte
{
    Probe = 1,
    Answer = 2,
}

/// <summary>A probe or its answer: 96 bytes each, little-endian, so that an answer is never longer than its probe.</summary>
/// <param name="Kind">Probe or answer.</param>
/// <param name="Run">Id chosen by the prober; an answer repeats it.</param>
/// <param name="Sequence">Number of the probe; an answer repeats it.</param>
/// <param name="Sent">When the probe was made, by the prober's clock.</param>
/// <param name="PeerReceived">In an answer: when the probe was received, by the answering clock.</param>
/// <param name="PeerSent">In an answer: when it was sent.</param>
/// <param name="Incarnation">The identity of the sender's clock: <see cref="ClockIncarnation"/>.</param>
/// <param name="IsStamped">In an answer: true when <paramref name="PeerReceived"/> is a stamp of the peer's kernel.</param>
internal readonly record struct ClockMessage(
    ClockMessageKind Kind, UInt128 Run, long Sequence, long Sent, long PeerReceived, long PeerSent, ulong Incarnation,
    bool IsStamped = false)
{
    /// <summary>Length of every message.</summary>
    public const int Bytes = 96;

    // magic 4 | version 1 | kind 1 | flags 2 | run 16 | sequence 8 | t1 8 | t2 8 | t3 8 | incarnation 8 | seal 16 | zeros 16
    private const uint Magic = 0x4B435450; // "PTCK"
    private const byte Version = 1;
    private const int FlagsAt = 6;
    private const ushort StampedFlag = 1;
    private const int SealAt = 64;

    /// <summary>Writes the whole message, sealed with the key.</summary>
    public void Write(Span<byte> to, ClockSeal seal)
    {
        to[..Bytes].Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(to, Magic);
        to[4] = Version;
        to[5] = (byte)Kind;
        BinaryPrimitives.WriteUInt16LittleEndian(to[FlagsAt..], IsStamped ? StampedFlag : (ushort)0);
        BinaryPrimitives.WriteUInt128LittleEndian(to[8..], Run);
        BinaryPrimitives.WriteInt64LittleEndian(to[24..], Sequence);
        BinaryPrimitives.WriteInt64LittleEndian(to[32..], Sent);
        BinaryPrimitives.WriteInt64LittleEndian(to[40..], PeerReceived);
        BinaryPrimitives.WriteInt64LittleEndian(to[48..], PeerSent);
        BinaryPrimitives.WriteUInt64LittleEndian(to[56..], Incarnation);
        seal.Write(to[..SealAt], to.Slice(SealAt, ClockSeal.Bytes));
    }

    /// <summary>Reads a message of the expected kind; false when it is another message, or not sealed with the key.</summary>
    public static bool TryRead(ReadOnlySpan<byte> from, ClockMessageKind kind, ClockSeal seal, out ClockMessage message)
    {
        message = default;
        if (from.Length != Bytes || BinaryPrimitives.ReadUInt32LittleEndian(from) != Magic || from[4] != Version || from[5] != (byte)kind
            || !seal.Fits(from[..SealAt], from.Slice(SealAt, ClockSeal.Bytes)))
        {
            return false;
        }

        message = new(kind, BinaryPrimitives.ReadUInt128LittleEndian(from[8..]), BinaryPrimitives.ReadInt64LittleEndian(from[24..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[32..]), BinaryPrimitives.ReadInt64LittleEndian(from[40..]),
            BinaryPrimitives.ReadInt64LittleEndian(from[48..]), BinaryPrimitives.ReadUInt64LittleEndian(from[56..]),
            (BinaryPrimitives.ReadUInt16LittleEndian(from[FlagsAt..]) & StampedFlag) != 0);
        return true;
    }
}

/// <summary>The seal of messages with the shared key: HMAC-SHA256, truncated. One thread.</summary>
internal sealed class ClockSeal(byte[] key) : IDisposable
{
    /// <summary>Bytes of the truncated seal.</summary>
    public const int Bytes = 16;

    private readonly IncrementalHash _hash = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);

    public void Write(ReadOnlySpan<byte> message, Span<byte> seal)
    {
        Span<byte> whole = stackalloc byte[SHA256.HashSizeInBytes];
        _hash.AppendData(message);
        _hash.GetHashAndReset(whole);
        whole[..Bytes].CopyTo(seal);
    }

    public bool Fits(ReadOnlySpan<byte> message, ReadOnlySpan<byte> seal)
    {
        Span<byte> right = stackalloc byte[Bytes];
        Write(message, right);
        return CryptographicOperations.FixedTimeEquals(right, seal);
    }

    public void Dispose() => _hash.Dispose();
}
