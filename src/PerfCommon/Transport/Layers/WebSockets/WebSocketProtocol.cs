namespace PerfCommon.Transport.WebSockets;

/// <summary>The sub-protocols of RSSL over WebSocket, and the choice among them.</summary>
internal static class WebSocketProtocol
{
    /// <summary>RSSL frames, one in each binary message.</summary>
    public const string Rwf = "rssl.rwf"; // wire/transport 9.2

    /// <summary>JSON arrays in text messages.</summary>
    public const string Json = "tr_json2"; // wire/transport 9.2

    /// <summary>Another name of <see cref="Json"/>.</summary>
    public const string JsonVersion2 = "rssl.json.v2"; // wire/transport 9.2

    /// <summary>All names.</summary>
    public static IReadOnlyList<string> All { get; } = [Rwf, JsonVersion2, Json];

    /// <summary>True for both names of JSON.</summary>
    public static bool IsJson(string name) => Is(name, Json) || Is(name, JsonVersion2);

    /// <summary>True for a supported name, case-insensitive.</summary>
    public static bool IsKnown(string name) => All.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>Returns the list as a client sends it: every JSON name as <see cref="Json"/>.</summary>
    // wire/transport 9.2
    internal static string ToOffer(string list) => string.Join(", ", Split(list).Select(n => IsJson(n) ? Json : n).Distinct());

    /// <summary>Returns the server's choice: the first offered name that it supports, as the client wrote it; null when there is none.</summary>
    internal static string? Choose(string offered, string supported) // wire/transport 9.2
    {
        string[] ours = Split(supported);
        return Split(offered).FirstOrDefault(n => ours.Any(o => Is(o, n) || (IsJson(o) && IsJson(n))));
    }

    internal static bool Is(string name, string other) => string.Equals(name, other, StringComparison.OrdinalIgnoreCase);

    private static string[] Split(string list) => list.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
}
