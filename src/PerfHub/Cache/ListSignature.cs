using System.Buffers.Binary;
using System.Numerics;
using PerfCommon.Codec;

namespace PerfHub.Cache;

/// <summary>Computes the signature of a field list's shape: of the ids of its entries, in their order.</summary>
internal static class ListSignature
{
    private const byte PlainList = ListFlags.HasStandardData;
    private const int PlainHeadBytes = 3;

    /// <summary>Scans every entry of a list.</summary>
    /// <param name="list">The list.</param>
    /// <param name="merger">Its shapes are found without a scan.</param>
    /// <param name="signature">The signature; 0 for a list that holds more than plain entries.</param>
    /// <returns>False when the bytes cannot be decoded.</returns>
    public static bool TryRead(ReadOnlySpan<byte> list, FieldMerger merger, out ulong signature)
    {
        signature = 0;
        if (list.Length < PlainHeadBytes || list[0] != PlainList)
            return IsGood(list);
        return merger.Shapes.TryFind(list, out signature) || TryWalk(list, merger, out signature);
    }

    private static bool TryWalk(ReadOnlySpan<byte> list, FieldMerger merger, out ulong signature)
    {
        signature = 0;
        ulong secret = merger.Secret;
        int left = BinaryPrimitives.ReadUInt16BigEndian(list[1..]);
        ulong hash = secret + (uint)left;
        ReadOnlySpan<byte> rest = list[PlainHeadBytes..];
        for (; left > 0 && rest.Length > 2; left--)
        {
            int length = rest[2];
            int size = length + 3;
            if (length >= LengthMark.TwoMoreBytes || size > rest.Length)
                return IsGood(list); // a long value: rare, and not worth a signature
            hash = BitOperations.RotateLeft((hash ^ BinaryPrimitives.ReadUInt16BigEndian(rest)) * secret, 29);
            rest = rest[size..];
        }

        if (left > 0)
            return false;
        signature = hash | 1;
        merger.Shapes.Offer(list, signature);
        return true;
    }

    private static bool IsGood(ReadOnlySpan<byte> list)
    {
        DecodeResult result = FieldListReader.TryOpen(list, out FieldListReader reader);
        while (result == DecodeResult.Success)
            result = reader.TryReadNext(out _);
        return result is DecodeResult.EndOfContainer or DecodeResult.NoData;
    }
}
