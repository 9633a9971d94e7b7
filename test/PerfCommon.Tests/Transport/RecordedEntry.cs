using System.Text.Json;

namespace PerfCommon.Tests.Transport;

/// <summary>One entry of a transport vector file.</summary>
internal sealed record RecordedEntry(string Name, string Direction, byte[] Bytes, JsonElement Decoded)
{
    public string Session => Name.Split('/')[0];

    public bool IsFromClient => Direction.StartsWith("client", StringComparison.Ordinal);

    /// <summary>Loads all entries of the files whose names begin like this.</summary>
    public static List<RecordedEntry> Load(string prefix)
    {
        List<RecordedEntry> entries = [];
        foreach (string path in VectorFiles.Discover("transport", $"{prefix}*.json"))
        {
            using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(path));
            foreach (JsonElement entry in document.RootElement.EnumerateArray())
            {
                entries.Add(new RecordedEntry(
                    entry.GetProperty("name").GetString()!, entry.GetProperty("direction").GetString()!,
                    Convert.FromHexString(entry.GetProperty("hex").GetString()!), entry.GetProperty("decoded").Clone()));
            }
        }

        return entries;
    }

    /// <summary>Returns a member of the decoded part as text; null when it is absent.</summary>
    public string? Text(string member) =>
        Decoded.TryGetProperty(member, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value.ToString() : null;
}
