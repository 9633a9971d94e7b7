using System.Globalization;
using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.WebSockets;

/// <summary>The terms of permessage-deflate (RFC 7692) on which both sides of a WebSocket agreed.</summary>
/// <param name="IsUsed">True when messages are deflated.</param>
/// <param name="StartsAfresh">True when this side deflates each message without the context of those before.</param>
internal readonly record struct DeflateTerms(bool IsUsed, bool StartsAfresh) // wire/transport 9.1
{
    /// <summary>The offer of a client, and the beginning of a server's answer.</summary>
    public const string Offer = "permessage-deflate;server_no_context_takeover";

    private const string HeaderName = "Sec-WebSocket-Extensions";
    private const string ExtensionName = "permessage-deflate";
    private const string ServerAfresh = "server_no_context_takeover";
    private const string ClientAfresh = "client_no_context_takeover";
    private const string ServerWindow = "server_max_window_bits";
    private const string ClientWindow = "client_max_window_bits";
    private const int MinWindowBits = 8;
    private const int MaxWindowBits = 15;

    /// <summary>Returns a server's answer to the first offer of a client whose terms it can keep; null when there is none.</summary>
    public static string? FindGrant(HttpHead request) => ReadAll(request).Select(GrantOf).FirstOrDefault(grant => grant is not null);

    /// <summary>Reads a server's answer, which grants nothing where it names no extension.</summary>
    /// <returns>False when it names what was not offered.</returns>
    public static bool TryRead(HttpHead response, out DeflateTerms terms)
    {
        Extension[] granted = [.. ReadAll(response)];
        terms = granted is [var first, ..] ? new(true, first.Find(ClientAfresh) is not null) : default;
        return granted is [] || (granted is [{ IsDeflate: true } one] && one.HasOnly(ServerAfresh, ClientAfresh, ServerWindow));
    }

    // A server deflates with a window of 15 bits: it cannot keep to a smaller one. The window of the client may have any size.
    private static string? GrantOf(Extension offer)
    {
        if (!offer.IsDeflate || !offer.HasOnly(ServerAfresh, ClientAfresh, ClientWindow))
            return null;
        if (offer.Find(ClientWindow) is not { Length: > 0 } bits)
            return Offer;
        return int.TryParse(bits, NumberStyles.None, CultureInfo.InvariantCulture, out int size) && size is >= MinWindowBits and <= MaxWindowBits
            ? string.Create(CultureInfo.InvariantCulture, $"{Offer};{ClientWindow}={size}") : null;
    }

    private static IEnumerable<Extension> ReadAll(HttpHead head) =>
        (head[HeaderName] ?? "").Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries).Select(text => new Extension(text));

    // An extension, and its parameters: name; parameter; parameter=value
    private sealed class Extension
    {
        private readonly string _name;
        private readonly (string Name, string Value)[] _parameters;

        public Extension(string text)
        {
            string[] parts = text.Split(';', StringSplitOptions.TrimEntries);
            _name = parts[0];
            _parameters =
            [
                .. parts[1..].Select(part => part.Split('=', 2, StringSplitOptions.TrimEntries))
                    .Select(pair => (pair[0].ToLowerInvariant(), pair.Length > 1 ? pair[1].Trim('"') : "")),
            ];
        }

        public bool IsDeflate => _name.Equals(ExtensionName, StringComparison.OrdinalIgnoreCase);

        public bool HasOnly(params string[] names) => _parameters.All(parameter => names.Contains(parameter.Name));

        // The value of a parameter, empty where it has none; null when there is no such parameter.
        public string? Find(string name) => _parameters.FirstOrDefault(parameter => parameter.Name == name).Value;
    }
}
