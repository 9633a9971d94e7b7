using System.Text.Json;

namespace PerfCommon.Tests.Transport;

/// <summary>One recorded entry.</summary>
internal sealed record TransportVector(string Name, string What, bool FromClient, byte[] Bytes, JsonElement Decoded)
{
    public string Session => Name[..Name.IndexOf('/', StringComparison.Ordinal)];

    public string Part => Name[(Name.IndexOf('/', StringComparison.Ordinal) + 1)..];

    public string? Message => Decoded.TryGetProperty("message", out JsonElement message) ? message.GetString() : null;

    /// <summary>Messages that become complete with this frame.</summary>
    public IReadOnlyList<JsonElement> Messages =>
        Decoded.TryGetProperty("messages", out JsonElement messages) ? [.. messages.EnumerateArray()] : [];
}

/// <summary>The recorded transport entries, classified by content.</summary>
internal static class TransportVectors
{
    private static readonly Dictionary<string, TransportVector[]> ByFile = VectorFiles.Discover("transport").ToDictionary(file =>
        Path.GetFileName(file), Load);

    /// <summary>Sessions (entries of one name before the slash) by name.</summary>
    public static IReadOnlyDictionary<string, TransportVector[]> Sessions { get; } = ByFile
        .SelectMany(file => file.Value.GroupBy(entry => $"{file.Key}:{entry.Session}"))
        .Where(session => session.Any(HasState))
        .ToDictionary(session => session.Key, session => session.ToArray());

    /// <summary>Bytes that break the protocol.</summary>
    public static IReadOnlyDictionary<string, TransportVector> Bad { get; } = ByFile.Values.SelectMany(entries => entries)
        .Where(entry => entry.Name.StartsWith("bad/", StringComparison.Ordinal))
        .ToDictionary(entry => entry.Name);

    /// <summary>Handshakes, by the name before the slash.</summary>
    public static IReadOnlyDictionary<string, TransportVector[]> Handshakes { get; } = ByFile
        .Where(file => file.Key.StartsWith("handshake-cases", StringComparison.Ordinal))
        .SelectMany(file => file.Value.GroupBy(entry => entry.Session))
        .ToDictionary(group => group.Key, group => group.ToArray());

    public static JsonElement State(TransportVector[] session) => session.First(HasState).Decoded.GetProperty("sessionState");

    private static bool HasState(TransportVector entry) => entry.Decoded.TryGetProperty("sessionState", out _);

    private static TransportVector[] Load(string file)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(file));
        return [.. document.RootElement.EnumerateArray().Select(entry => new TransportVector(
            entry.GetProperty("name").GetString()!,
            entry.GetProperty("what").GetString()!,
            entry.GetProperty("direction").GetString()!.StartsWith("client", StringComparison.Ordinal),
            Convert.FromHexString(entry.GetProperty("hex").GetString()!),
            entry.GetProperty("decoded").Clone()))];
    }
}
