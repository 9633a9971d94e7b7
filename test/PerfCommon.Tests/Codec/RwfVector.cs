using System.Text.Json.Nodes;
using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

/// <summary>One recorded vector of the wire format.</summary>
internal sealed record RwfVector(string Name, DataType Type, byte[] Bytes, string? Form, string? Expect, JsonNode? Decoded)
{
    private static readonly Lazy<IReadOnlyDictionary<string, RwfVector>> Loaded = new(Load);

    private static readonly Lazy<byte[]> LoadedFieldTypes = new(LoadFieldTypes);

    /// <summary>Every vector of every file, by "file/name".</summary>
    public static IReadOnlyDictionary<string, RwfVector> All => Loaded.Value;

    /// <summary>Type of every field by its id; fields the vectors do not name are buffers.</summary>
    public static ReadOnlySpan<byte> FieldTypes => LoadedFieldTypes.Value;

    private static Dictionary<string, RwfVector> Load()
    {
        Dictionary<string, RwfVector> all = [];
        foreach (string file in VectorFiles.Discover("rwf"))
        {
            // A list of vectors; the dictionary of field types is an object, and lists with "text" are string conversions.
            if (JsonNode.Parse(File.ReadAllText(file)) is not JsonArray list)
                continue;
            int index = 0;
            foreach (JsonNode? node in list)
            {
                if (node is JsonObject vector && !vector.ContainsKey("text"))
                    Add(all, $"{Path.GetFileNameWithoutExtension(file)}/{index:000} {vector["name"]}", vector);
                index++;
            }
        }

        return all;
    }

    private static void Add(Dictionary<string, RwfVector> all, string key, JsonObject vector) =>
        all.Add(key, new RwfVector(
            key,
            TypeNames.Parse((string)vector["type"]!),
            Convert.FromHexString((string)vector["hex"]!),
            (string?)vector["form"],
            (string?)vector["expect"],
            vector["decoded"]));

    private static byte[] LoadFieldTypes()
    {
        byte[] types = new byte[ushort.MaxValue + 1];
        Array.Fill(types, (byte)DataType.Buffer);
        foreach (string file in VectorFiles.Discover("rwf"))
        {
            if (JsonNode.Parse(File.ReadAllText(file)) is not JsonObject fields)
                continue;
            foreach ((string id, JsonNode? type) in fields)
                types[(ushort)short.Parse(id, System.Globalization.CultureInfo.InvariantCulture)] = (byte)TypeNames.Parse((string)type!);
        }

        return types;
    }
}
