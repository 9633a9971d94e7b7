using System.Text;
using PerfCommon.Tests.Transport.Compression;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using Xunit;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>Recorded WebSocket sessions: each side's bytes are read by our opposite side, whole, split in two and byte by byte.</summary>
[Trait("Category", "Vectors")]
public class WebSocketVectorTests
{
    private const int ByteByByte = -1;

    private static readonly List<RecordedEntry> All = RecordedEntry.Load("websocket");

    public static TheoryData<string> Sessions => new(All.Select(e => e.Session).Distinct());

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Sessions))]
    public void Server_RecordedClient_AnswersAndReadsEveryFrame(string session) => CheckSplits(session, fromClient: true, SplitPositions.Usual);

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Sessions))]
    public void Client_RecordedServer_TakesItAndReadsEveryFrame(string session) => CheckSplits(session, fromClient: false, SplitPositions.Usual);

    [LongTheory(SkipTestWithoutData = true)]
    [MemberData(nameof(Sessions))]
    public void Recorded_SplitEverywhere_IsTakenAndReadByBothSides(string session)
    {
        CheckSplits(session, fromClient: true, SplitPositions.Every);
        CheckSplits(session, fromClient: false, SplitPositions.Every);
    }

    private static void CheckSplits(string session, bool fromClient, int step)
    {
        List<RecordedEntry> entries = All.FindAll(e => e.Session == session);
        byte[] bytes = [.. entries.Where(e => e.IsFromClient == fromClient).SelectMany(e => e.Bytes)];
        Check(entries, bytes, fromClient, ByteByByte);
        foreach (int split in SplitPositions.Of(bytes.Length, step))
            Check(entries, bytes, fromClient, split);
    }

    private static void Check(List<RecordedEntry> entries, byte[] bytes, bool fromClient, int split)
    {
        RecordedEntry response = entries.Find(e => e.Text("message") == "httpUpgradeResponse")!;
        bool isGranted = response.Text("startLine")!.Contains("101", StringComparison.Ordinal);
        using PiecesPipe pieces = new(bytes, split);
        using WebSocketPipe pipe = fromClient ? Server(pieces, isGranted) : Client(pieces, entries);

        PipeStatus status = PipeStatus.Wait;
        for (int turn = 0; turn < 1000 && status == PipeStatus.Wait; turn++)
            status = pipe.Open();

        Assert.Equal(isGranted ? PipeStatus.Ready : PipeStatus.Failed, status);
        if (fromClient)
            CheckResponse(response, Encoding.ASCII.GetString(pieces.Sent));
        if (!isGranted)
            return;
        bool isJson = pipe.WebSocketProtocol != "rssl.rwf";
        if (isJson && !fromClient)
            pipe.Send(Request, out _);
        RecordedEntry[] frames = [.. entries.Where(e => e.IsFromClient == fromClient && e.Text("payloadLength") is not null)];
        ReceivedFrames received = ReceivedFrames.Read(pipe, pieces, isJson ? fromClient ? 2 : 1 : 0);
        CheckFrames([.. frames.Where(f => f.Text("opcodeName") != "close" && f.Text("note") is null)], received, isJson);
        Assert.Equal(frames.Any(f => f.Text("opcodeName") == "close"), received.HasEnded);
    }

    private static void CheckFrames(RecordedEntry[] frames, ReceivedFrames received, bool isJson)
    {
        Assert.Equal(frames.Length, received.Frames.Count);
        for (int i = 0; i < frames.Length; i++)
        {
            byte[] frame = received.Frames[i];
            if (isJson && frames[i].Text("payloadText") is "[{\"Type\":\"Ping\"}]")
                Assert.Equal([0, 3, 2], frame);
            else if (frames[i].Text("payloadHex") is { } hex)
                Assert.Equal(hex, Convert.ToHexStringLower(isJson ? frame[3..] : frame));
            else
                Assert.Equal(frames[i].Text("payloadCrc32"), PayloadCrc.Hex(isJson ? frame.AsSpan(3) : frame));
        }
    }

    // Compares the recorded lines in any order.
    private static void CheckResponse(RecordedEntry response, string sent)
    {
        string[] lines = sent.Split("\r\n\r\n")[0].Split("\r\n");
        Assert.Equal(response.Text("startLine"), lines[0]);
        Assert.Equal(
            response.Decoded.GetProperty("headers").EnumerateObject().Select(h =>
                $"{h.Name}: {h.Value.GetString()}").Order(StringComparer.Ordinal),
            lines.Skip(1).Order(StringComparer.Ordinal));
    }

    private static WebSocketPipe Server(PiecesPipe pieces, bool isGranted)
    {
        string protocols = isGranted ? "rssl.rwf, rssl.json.v2" : "rssl.rwf";
        return WebSocketPipe.ForServer(pieces, [], new ListenOptions
        {
            Port = 0,
            WebSocketProtocols = protocols,
            MaxFragmentSize = 60_000,
            CompressionType = CompressionType.Zlib,
        }, new BufferPool());
    }

    private static WebSocketPipe Client(PiecesPipe pieces, List<RecordedEntry> entries)
    {
        RecordedEntry request = entries.Find(e => e.Text("message") == "httpUpgradeRequest")!;
        System.Text.Json.JsonElement headers = request.Decoded.GetProperty("headers");
        ConnectOptions options = new()
        {
            Host = "localhost",
            Port = 1,
            WebSocketProtocols = headers.GetProperty("Sec-WebSocket-Protocol").GetString(),
            CompressionType = headers.TryGetProperty("Sec-WebSocket-Extensions", out _) ? CompressionType.Zlib : CompressionType.None,
        };
        return WebSocketPipe.ForClient(pieces, options, new BufferPool(), headers.GetProperty("Sec-WebSocket-Key").GetString());
    }

    private static byte[] Request
    {
        get
        {
            byte[] request = new byte[1024];
            return request[..new ConnectRequest
            {
                Version = 13,
                PingTimeoutSeconds = 60,
                ProtocolType = 2,
                MajorVersion = 14,
                MinorVersion = 1
            }.Write(request)];
        }
    }
}
