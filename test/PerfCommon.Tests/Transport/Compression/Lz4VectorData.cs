using System.Buffers.Binary;
using System.Text.Json;

namespace PerfCommon.Tests.Transport.Compression;

/// <summary>Builds the data and blocks that the lz4 vectors describe.</summary>
internal static class Lz4VectorData
{
    /// <summary>Builds data from its description: hex, repeat, random, letters, counter or concat.</summary>
    public static byte[] Plain(JsonElement description)
    {
        string generator = description.GetProperty("gen").GetString()!;
        return generator switch
        {
            "hex" => Hex(description, "hex"),
            "repeat" => Repeat(Hex(description, "hex"), description.GetProperty("n").GetInt32()),
            "random" => Random(description),
            "letters" => Array.ConvertAll(Random(description), b => (byte)(97 + b % description.GetProperty("m").GetInt32())),
            "counter" => Counter(Hex(description, "hex"), description.GetProperty("n").GetInt32(),
                description.GetProperty("start").GetUInt32()),
            "concat" => [.. description.GetProperty("parts").EnumerateArray().SelectMany(Plain)],
            _ => throw new NotSupportedException(generator),
        };
    }

    /// <summary>Builds a block given as hex or in parts.</summary>
    public static byte[] Block(JsonElement vector)
    {
        if (vector.TryGetProperty("block", out JsonElement block))
            return Convert.FromHexString(block.GetString()!);
        using MemoryStream joined = new();
        foreach (JsonElement part in vector.GetProperty("blockParts").EnumerateArray())
        {
            bool repeats = part.ValueKind == JsonValueKind.Object;
            byte[] piece = Convert.FromHexString((repeats ? part.GetProperty("repeat") : part).GetString()!);
            int times = repeats ? part.GetProperty("times").GetInt32() : 1;
            joined.Write(Repeat(piece, piece.Length * times));
        }

        return joined.ToArray();
    }

    private static byte[] Hex(JsonElement description, string name) => Convert.FromHexString(description.GetProperty(name).GetString()!);

    private static byte[] Repeat(byte[] pattern, int count)
    {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++)
            bytes[i] = pattern[i % pattern.Length];
        return bytes;
    }

    private static byte[] Counter(byte[] head, int times, uint start)
    {
        byte[] bytes = new byte[times * (head.Length + 4)];
        for (int i = 0; i < times; i++)
        {
            int at = i * (head.Length + 4);
            head.CopyTo(bytes, at);
            BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(at + head.Length), start + (uint)i);
        }

        return bytes;
    }

    private static byte[] Random(JsonElement description)
    {
        byte[] bytes = new byte[description.GetProperty("n").GetInt32()];
        ulong state = description.GetProperty("seed").GetUInt64();
        Span<byte> word = stackalloc byte[8];
        for (int i = 0; i < bytes.Length; i++)
        {
            if (i % 8 == 0)
                BinaryPrimitives.WriteUInt64LittleEndian(word, Next(ref state));
            bytes[i] = word[i % 8];
        }

        return bytes;
    }

    // SplitMix64, as histogram vectors use it.
    private static ulong Next(ref ulong state)
    {
        state += 0x9e3779b97f4a7c15;
        ulong z = state;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
}
