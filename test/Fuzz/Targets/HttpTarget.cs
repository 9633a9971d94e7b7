using System.Text;
using PerfTools.Hosting.Control;

namespace Fuzz.Targets;

/// <summary>Requests over HTTP, received in pieces of every size.</summary>
internal static class HttpTarget
{
    private const int WorkPerByte = 16; // a small piece may end within the end of a head, or the size of a chunk, again and again

    public static void Read(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        foreach (int pieceBytes in (ReadOnlySpan<int>)[input.Length, 1, 7])
            Read(input, Math.Max(1, pieceBytes), ref turns);
    }

    public static IEnumerable<byte[]> CreateSamples() =>
    [
        Encoding.Latin1.GetBytes("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9400\r\nAccept: */*\r\n\r\n"),
        Encoding.Latin1.GetBytes("POST /control HTTP/1.1\r\nHost: localhost\r\nX-PerfTools: 1\r\nContent-Length: 11\r\n\r\nrate=200000"),
        Encoding.Latin1.GetBytes("POST /control HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nrate\r\n4\r\n=100\r\n0\r\n\r\n"),
    ];

    private static void Read(ReadOnlySpan<byte> input, int pieceBytes, ref FuzzTurns turns)
    {
        HttpRequestReader reader = new(["127.0.0.1", "localhost"]);
        int done = 0;
        while (done < input.Length && !reader.IsWhole)
        {
            turns.Take();
            ReadOnlySpan<byte> piece = input.Slice(done, Math.Min(pieceBytes, input.Length - done));
            piece = piece[..Math.Min(piece.Length, reader.Room.Length)];
            piece.CopyTo(reader.Room.Span);
            reader.Advance(piece.Length);
            done += piece.Length;
        }

        FuzzTurns.Demand(reader.BytesExamined <= WorkPerByte * (long)done, $"{reader.BytesExamined} bytes were looked at for {done}");
        FuzzTurns.Demand(reader.Request is null || reader.Refusal is null, "a request is accepted and refused");
    }
}
