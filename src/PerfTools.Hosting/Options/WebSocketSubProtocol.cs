namespace PerfTools.Hosting.Options;

/// <summary>The sub-protocols of a WebSocket connection.</summary>
internal static class WebSocketSubProtocol
{
    /// <summary>RSSL frames with RWF messages.</summary>
    public const string Rwf = "rssl.rwf";

    /// <summary>All names that <c>-websocket</c> and <c>-pl</c> know.</summary>
    public static IReadOnlyList<string> All { get; } = [Rwf, "rssl.json.v2", "tr_json2"];

    /// <summary>True for a known name, in any case.</summary>
    /// <param name="name">The name as typed.</param>
    public static bool IsKnown(string name) => All.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>True for a name whose messages are JSON.</summary>
    /// <param name="name">The name as typed.</param>
    public static bool IsJson(string name) => IsKnown(name) && !name.Equals(Rwf, StringComparison.OrdinalIgnoreCase);
}
