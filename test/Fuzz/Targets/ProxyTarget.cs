using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;

namespace Fuzz.Targets;

/// <summary>Answers of a proxy to CONNECT.</summary>
internal static class ProxyTarget
{
    private static readonly ProxyOptions Proxy = new() { Host = "proxy", Port = 1, UserName = "u", Password = "p" };

    public static void Read(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        using ProxyPipe pipe = new(new BytesPipe(input.ToArray()), Proxy, new ProxyLogin(), "server", 14002);
        PipeStatus status = pipe.Open();
        Span<byte> room = stackalloc byte[100];
        while (status is PipeStatus.Ready or PipeStatus.Wait)
        {
            turns.Take();
            status = pipe.Receive(room, out _);
        }
    }

    public static IEnumerable<byte[]> CreateSamples() =>
    [
        Encoding.ASCII.GetBytes("HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\n\r\nwhat follows"),
        Encoding.ASCII.GetBytes(
            "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"r\"\r\nContent-Length: 5\r\n\r\nsorryHTTP/1.1 200 OK\r\n\r\n"),
    ];
}
