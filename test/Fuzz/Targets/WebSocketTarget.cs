using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;

namespace Fuzz.Targets;

/// <summary>The upgrade to WebSocket, and the frames after it.</summary>
internal static class WebSocketTarget
{
    private const string Key = "dGhlIHNhbXBsZSBub25jZQ==";
    private const int RoomBytes = 700;
    private const int ManyHeaders = 2_000;

    private static readonly string[] Protocols = ["rssl.rwf", "tr_json2"];
    private static readonly ListenOptions Listen = new()
    {
        Port = 0,
        WebSocketProtocols = "rssl.rwf, tr_json2",
        CompressionType = CompressionType.Zlib
    };
    private static readonly ConnectOptions Connect = new()
    {
        Host = "localhost",
        Port = 1,
        WebSocketProtocols = "rssl.rwf, tr_json2",
        CompressionType = CompressionType.Zlib
    };

    // binary of 3 bytes, a ping of 2, text in two parts, a pong, a close with its reason
    private static readonly string[] Frames = ["8203000302", "8902abcd", "01035b7b22", "8003617d5d", "8a00", "880203e8"];

    public static void ReadAsServer(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        using WebSocketPipe pipe = WebSocketPipe.ForServer(new BytesPipe(input.ToArray()), [], Listen, new BufferPool());
        ReadAll(pipe, input.Length, ref turns);
    }

    public static void ReadAsClient(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        using WebSocketPipe pipe = WebSocketPipe.ForClient(new BytesPipe(input.ToArray()), Connect, new BufferPool(), Key);
        ReadAll(pipe, input.Length, ref turns);
    }

    public static IEnumerable<byte[]> CreateRequests()
    {
        // by nothing
        string[] masked = [.. Frames.Select(frame => $"{frame[..2]}{Convert.FromHexString(frame)[1] | 0x80:x2}00000000{frame[4..]}")];
        foreach (string protocol in Protocols)
        {
            yield return Join(
                "GET /WebSocket HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
                    + $"Sec-WebSocket-Key: {Key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n",
                masked);
        }

        yield return Join($"GET / HTTP/1.1\r\n{string.Concat(Enumerable.Repeat("a:b\r\n", ManyHeaders))}\r\n", []);
    }

    public static IEnumerable<byte[]> CreateAnswers()
    {
        foreach (string protocol in Protocols)
        {
            yield return Join(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + $"Sec-WebSocket-Accept: {WebSocketUpgrade.AcceptFor(Key)}\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n",
                Frames);
        }
    }

    private static byte[] Join(string head, IEnumerable<string> frames) =>
        [.. Encoding.ASCII.GetBytes(head), .. frames.SelectMany(Convert.FromHexString)];

    private static void ReadAll(WebSocketPipe pipe, int inputBytes, ref FuzzTurns turns)
    {
        PipeStatus status = pipe.Open();
        Span<byte> room = stackalloc byte[RoomBytes];
        long taken = 0;
        while (status is PipeStatus.Ready or PipeStatus.Wait)
        {
            turns.Take();
            status = pipe.Receive(room, out int count);
            taken += count;
            FuzzTurns.Demand(taken <= 2L * inputBytes, "more came out than went in");
        }
    }
}
