using System.Security.Cryptography;
using System.Text;
using PerfCommon.Transport.Http;

namespace PerfCommon.Transport.WebSockets;

/// <summary>Encodes and checks the HTTP exchange that opens a WebSocket.</summary>
internal static class WebSocketUpgrade
{
    /// <summary>Maximum bytes of either head.</summary>
    public const int LongestHead = 32 * 1024; // wire/transport 9.1

    private const string AcceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // wire/transport 9.1
    private const int KeyBytes = 16; // wire/transport 9.1

    private const string Rejection = // wire/transport 9.1
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/html; charset=UTF-8\r\nCache-Control: no-cache, private, no-store\r\n"
        + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n";

    /// <summary>The response that refuses a request.</summary>
    public static ReadOnlySpan<byte> RejectionBytes => Encoding.ASCII.GetBytes(Rejection);

    public static string CreateKey() => Convert.ToBase64String(RandomNumberGenerator.GetBytes(KeyBytes));

    /// <summary>Encodes the client's request.</summary>
    public static byte[] CreateRequest(string host, int port, string offer, string key, bool offersDeflate) // wire/transport 9.1
    {
        string extensions = ExtensionsHeader(offersDeflate ? DeflateTerms.Offer : null);
        return Encoding.UTF8.GetBytes(
            $"GET /WebSocket HTTP/1.1\r\nHost: {HttpHead.Authority(host, port)}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + $"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {offer}\r\n{extensions}\r\n");
    }

    /// <summary>Checks a server's response; null when it matches the request.</summary>
    public static string? FindProblem(HttpHead response, string key, string offer) // wire/transport 9.1
    {
        if (response.Status != 101)
            return $"the server answered {PrintableText.From(response.StartLine)}";
        if (!response.Lists("Upgrade", "websocket") || !response.Lists("Connection", "Upgrade"))
            return "the server's answer is no WebSocket upgrade";
        if (response["Sec-WebSocket-Accept"] != AcceptFor(key))
            return "the server's accept value does not fit the key";
        return WebSocketProtocol.Choose(response["Sec-WebSocket-Protocol"] ?? "", offer) is null
            ? "the server chose no sub-protocol that was offered" : null;
    }

    /// <summary>Checks a client's request; null when it can be granted.</summary>
    public static string? FindProblem(HttpHead request, string? supported, out string protocol) // wire/transport 9.1
    {
        protocol = WebSocketProtocol.Choose(request["Sec-WebSocket-Protocol"] ?? "", supported ?? "") ?? "";
        if (request.StartLine.Split(' ') is not ["GET", string path, "HTTP/1.1"]
            || !path.Contains("websocket", StringComparison.OrdinalIgnoreCase))
        {
            return "the request is not for a WebSocket";
        }

        if (request["Host"] is null || !request.Lists("Upgrade", "websocket") || !request.Lists("Connection", "Upgrade"))
            return "the request is no upgrade to WebSocket";
        if (request["Sec-WebSocket-Version"] != "13" || !IsKey(request["Sec-WebSocket-Key"]))
            return "the request's WebSocket version or key is wrong";
        return protocol.Length == 0 ? $"no sub-protocol in common; ours: {supported ?? "none"}" : null;
    }

    /// <summary>Encodes the response that accepts a request.</summary>
    public static byte[] CreateResponse(HttpHead request, string protocol, string? grantedDeflate) => // wire/transport 9.1
        Encoding.ASCII.GetBytes(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + $"Sec-WebSocket-Accept: {AcceptFor(request["Sec-WebSocket-Key"]!)}\r\n"
            + $"Sec-WebSocket-Protocol: {protocol}\r\n{ExtensionsHeader(grantedDeflate)}\r\n");

    public static string AcceptFor(string key)
    {
#pragma warning disable CA5350 // RFC 6455 requires SHA-1; nothing is protected by it
        return Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + AcceptSuffix)));
#pragma warning restore CA5350
    }

    private static string ExtensionsHeader(string? deflate) => deflate is null ? "" : $"Sec-WebSocket-Extensions: {deflate}\r\n";

    private static bool IsKey(string? key)
    {
        Span<byte> bytes = stackalloc byte[KeyBytes + 2];
        return key is { Length: 24 } && Convert.TryFromBase64String(key, bytes, out int count) && count == KeyBytes;
    }
}
