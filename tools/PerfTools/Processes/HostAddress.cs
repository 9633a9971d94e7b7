using System.Globalization;

namespace PerfTools.Processes;

/// <summary>The address on which a role listens.</summary>
/// <param name="Host">Name or address; an IPv6 address without its brackets.</param>
/// <param name="Port">1 to 65535; 0 where only the host is known.</param>
internal sealed record HostAddress(string Host, int Port)
{
    /// <summary>The address of a role that connects to others: no program needs to know it.</summary>
    public static HostAddress Elsewhere { get; } = new("elsewhere", 0);

    /// <summary>Parses <c>host:port</c> or <c>[address]:port</c>; null for other text.</summary>
    public static HostAddress? TryParse(string text)
    {
        int colon = text.LastIndexOf(':');
        ReadOnlySpan<char> digits = text.AsSpan(colon + 1);
        if (colon < 0 || !ushort.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) || port == 0)
            return null;
        string host = text[..colon];
        if (host is ['[', .., ']'])
            host = host[1..^1];
        else if (host.Contains(':', StringComparison.Ordinal))
            return null; // an IPv6 address without brackets: its last group could be the port
        return Uri.CheckHostName(host) == UriHostNameType.Unknown ? null : new(host, port);
    }

    /// <summary>Parses a host with or without a port; null for other text.</summary>
    public static HostAddress? TryParseHost(string text) =>
        TryParse(text) ?? (Uri.CheckHostName(text) == UriHostNameType.Unknown ? null : new(text, 0));

    public override string ToString()
    {
        if (Port == 0)
            return Host;
        string host = Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host;
        return string.Create(CultureInfo.InvariantCulture, $"{host}:{Port}");
    }
}
