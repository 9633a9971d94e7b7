using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;
using Xunit;

namespace PerfCommon.Tests.Transport.WebSockets;

public class WebSocketPipeTests
{
    private const string Key = "dGhlIHNhbXBsZSBub25jZQ=="; // of RFC 6455
    private const string Good =
        "GET /WebSocket HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: keep-alive, upgrade\r\nSec-WebSocket-Key: " + Key
        + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: rssl.rwf\r\n\r\n";

    [Fact]
    public void AcceptFor_KeyOfTheRfc_IsItsValue() => Assert.Equal("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", WebSocketUpgrade.AcceptFor(Key));

    [Fact]
    public void NextKey_OfManyFrames_IsAnotherEachTime()
    {
        WebSocketMask mask = new();
        Assert.InRange(Enumerable.Range(0, 1_000).Select(_ => mask.NextKey()).Distinct().Count(), 998, 1_000);
    }

    [Fact]
    public void Open_AnswerLeavesInParts_IsOpenOnceItHasLeft()
    {
        (MemoryPipe client, MemoryPipe server) = MemoryPipe.CreatePair();
        server.Inject(Encoding.ASCII.GetBytes(Good));
        server.MostQueued = 10;
        using WebSocketPipe pipe = WebSocketPipe.ForServer(
            server, [], new ListenOptions { Port = 0, WebSocketProtocols = "rssl.rwf" }, new BufferPool());
        StringBuilder answer = new();
        PipeStatus status = PipeStatus.Wait;
        for (int turn = 0; turn < 200 && status == PipeStatus.Wait; turn++)
        {
            status = pipe.Open();
            answer.Append(Encoding.ASCII.GetString(client.TakeAll()));
        }

        Assert.Equal(PipeStatus.Ready, status);
        Assert.StartsWith("HTTP/1.1 101 ", answer.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("\r\n\r\n", answer.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("rssl.rwf", true)]
    [InlineData("RSSL.RWF", true)]
    [InlineData("rssl.json.v2", true)]
    [InlineData("tr_json2", true)]
    [InlineData("tr_json3", false)]
    [InlineData("rssl", false)]
    [InlineData("", false)]
    public void IsKnown_NameOfAProtocol_IsOneOfThree(string name, bool isKnown) => Assert.Equal(isKnown, WebSocketProtocol.IsKnown(name));

    [Theory]
    [InlineData("GET /WebSocket", "GET /index.html")]
    [InlineData("Host: h\r\n", "")]
    [InlineData("Upgrade: websocket", "Upgrade: h2c")]
    [InlineData("keep-alive, upgrade", "keep-alive")]
    [InlineData("Version: 13", "Version: 8")]
    [InlineData(Key, "short")]
    [InlineData("rssl.rwf", "tr_json2")]
    [InlineData("Sec-WebSocket-Protocol: rssl.rwf\r\n", "")]
    public void Open_RequestThatIsWrong_IsAnsweredBadRequest(string part, string replacement)
    {
        (WebSocketPipe pipe, PiecesPipe pieces) = Server(Good.Replace(part, replacement, StringComparison.Ordinal), []);
        Assert.Equal(PipeStatus.Failed, Open(pipe));
        Assert.StartsWith("HTTP/1.1 400 Bad Request\r\n", Encoding.ASCII.GetString(pieces.Sent), StringComparison.Ordinal);
        Assert.True(pieces.OutputEnded);
    }

    [Fact]
    public void Open_EndlessRequest_EndsAtItsLimit()
    {
        (WebSocketPipe pipe, _) = Server("GET /WebSocket HTTP/1.1\r\n" + new string('x', 40_000), []);
        Assert.Equal(PipeStatus.Failed, Open(pipe));
    }

    [Theory]
    [InlineData("8203000302", "not masked")]
    [InlineData("c28300000000000302", "reserved")]
    [InlineData("a28300000000000302", "reserved")]
    [InlineData("818300000000000302", "opcode 1 came where 2")]
    [InlineData("808300000000000302", "opcode 0 came where 2")]
    [InlineData("0283000000000003028283", "opcode 2 came where 0")]
    [InlineData("098000000000", "control frame is malformed")]
    [InlineData("89fe007e00000000", "control frame is malformed")]
    [InlineData("8b8000000000", "control frame is malformed")]
    [InlineData("82ffffffffffffffffff00000000", "length is negative")]
    public void Receive_FrameThatIsWrong_EndsTheConnection(string hex, string expected)
    {
        // a masked frame needs its key: zeros follow
        (WebSocketPipe pipe, _) = Server(Good, [.. Convert.FromHexString(hex), 0, 0, 0, 0]);
        Assert.Equal(PipeStatus.Ready, Open(pipe));
        PipeStatus status = PipeStatus.Wait;
        for (int i = 0; i < 20 && status <= PipeStatus.Wait; i++)
            status = pipe.Receive(new byte[100], out _);
        Assert.Equal(PipeStatus.Failed, status);
        Assert.Contains(expected, pipe.Failure);
    }

    [Fact]
    public void Receive_Ping_IsAnsweredWithItsPayload()
    {
        (WebSocketPipe pipe, PiecesPipe pieces) = Server(Good, [0x89, 0x82, 0, 0, 0, 0, 7, 9]);
        Open(pipe);
        int before = pieces.Sent.Length;
        for (int i = 0; i < 10; i++)
            pipe.Receive(new byte[100], out _);
        Assert.True(pipe.HasUnsent);
        pipe.Send([], out _);
        Assert.Equal([0x8a, 2, 7, 9], pieces.Sent[before..]);
    }

    /// <summary>Answers wait up to 16 KB, whether the ping is one of WebSocket or of its JSON messages.</summary>
    [Theory]
    [InlineData("rssl.rwf", (byte)0x89, "ping of a WebSocket of sixty-two bytes, which is answered likewise", 256 * 64)] // each with a header of 2 bytes
    [InlineData("tr_json2", (byte)0x81, "[{\"Type\":\"Ping\"}]", 863 * 19)]
    public void Receive_PingsOfAPeerThatDoesNotRead_AreAnsweredUpToALimit(string protocol, byte opcode, string ping, int answerBytes)
    {
        (MemoryPipe client, MemoryPipe server) = MemoryPipe.CreatePair();
        using WebSocketPipe pipe = Open(client, server, protocol);
        server.MostQueued = 0;
        byte[] text = [.. Encoding.ASCII.GetBytes(ping)[..Math.Min(ping.Length, 62)]];
        byte[] frame = [opcode, (byte)(0x80 | text.Length), 0, 0, 0, 0, .. text];
        server.Inject([.. Enumerable.Repeat(frame, 2_000).SelectMany(one => one)]);
        ReceiveAll(pipe);
        server.MostQueued = int.MaxValue;
        for (int i = 0; i < 100 && pipe.HasUnsent; i++)
            pipe.Send([], out _);
        Assert.Equal((answerBytes, 0), (client.TakeAll().Length, server.Incoming));
    }

    /// <summary>A message that has arrived in part is kept, and counts among the bytes that the connection keeps.</summary>
    [Fact]
    public void HeldBytes_JsonMessageInParts_AreThoseOfItUntilItEnds()
    {
        (MemoryPipe client, MemoryPipe server) = MemoryPipe.CreatePair();
        using WebSocketPipe pipe = Open(client, server, "tr_json2");
        ReceiveAll(pipe);
        Assert.Equal(0, pipe.HeldBytes);
        server.Inject([0x01, 0x83, 0, 0, 0, 0, .. "[1,"u8]);
        ReceiveAll(pipe);
        Assert.NotEqual(0, pipe.HeldBytes);
        server.Inject([0x80, 0x82, 0, 0, 0, 0, .. "2]"u8]);
        ReceiveAll(pipe);
        Assert.Equal(0, pipe.HeldBytes);
    }

    [Fact]
    public void Receive_BinaryInFragmentsWithPingBetween_IsJoined()
    {
        (WebSocketPipe pipe, _) = Server(Good, [0x02, 0x82, 0, 0, 0, 0, 0, 5, 0x89, 0x80, 0, 0, 0, 0, 0x80, 0x83, 1, 0, 0, 0, 3, 8, 9]);
        Open(pipe);
        byte[] room = new byte[100];
        int total = 0;
        for (int i = 0; i < 10; i++)
        {
            pipe.Receive(room.AsSpan(total), out int count);
            total += count;
        }

        Assert.Equal([0, 5, 2, 8, 9], room[..total]);
    }

    [Fact]
    public void Receive_RandomBytes_NeverThrows()
    {
        Random random = new(77);
        byte[] room = new byte[500];
        for (int round = 0; round < 20_000; round++)
        {
            byte[] noise = new byte[random.Next(1, 60)];
            random.NextBytes(noise);
            if (noise.Length > 2)
                (noise[0], noise[1]) = ((byte)(noise[0] & 0x8f), (byte)(noise[1] | 0x80));
            bool isJson = round % 2 == 0;
            (WebSocketPipe pipe, PiecesPipe pieces) = Server(isJson ? Good.Replace("rssl.rwf", "tr_json2", StringComparison.Ordinal) : Good,
                noise, "rssl.rwf,tr_json2");
            Assert.Equal(PipeStatus.Ready, Open(pipe));
            PipeStatus status = PipeStatus.Wait;
            for (int i = 0; i < 10 && status <= PipeStatus.Wait; i++)
                status = pipe.Receive(room, out _);
            pipe.Dispose();
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(1001)]
    public void Mask_InPieces_IsItsOwnInverse(int piece)
    {
        byte[] data = new byte[3000];
        new Random(piece).NextBytes(data);
        byte[] masked = new byte[data.Length];
        uint key = 0x04030201;
        for (int at = 0; at < data.Length; at += piece)
            key = WebSocketMask.Apply(data.AsSpan(at, Math.Min(piece, data.Length - at)), masked.AsSpan(at), key);
        for (int i = 0; i < data.Length; i++)
            Assert.Equal(data[i] ^ (i % 4 + 1), masked[i]);
    }

    [Theory]
    [InlineData(true, 16)] // header of 2 and mask of 4, or none, before a frame of 10
    [InlineData(false, 12)]
    public void Send_PartOfWhatWasEncodedLeaves_CountsTheFramesThatHaveLeft(bool byClient, int encodedBytes)
    {
        (MemoryPipe clientEnd, MemoryPipe serverEnd) = MemoryPipe.CreatePair();
        using WebSocketPipe client = WebSocketPipe.ForClient(clientEnd,
            new ConnectOptions { Host = "h", Port = 1, WebSocketProtocols = "rssl.rwf" }, new BufferPool());
        using WebSocketPipe server = WebSocketPipe.ForServer(serverEnd, [], new ListenOptions { Port = 0 }, new BufferPool());
        Assert.Equal((PipeStatus.Ready, PipeStatus.Ready), PipePump.OpenBoth(client, server, clientEnd, serverEnd));
        (WebSocketPipe from, WebSocketPipe to, MemoryPipe end) = byClient ? (client, server, clientEnd) : (server, client, serverEnd);
        byte[] frames = [0, 10, 2, 1, 2, 3, 4, 5, 6, 7, 0, 10, 2, 8, 8, 8, 8, 8, 8, 8, 0, 10, 2, 9, 9, 9, 9, 9, 9, 9];

        end.MostQueued = encodedBytes + 5;
        Assert.Equal((PipeStatus.Wait, 10, 20), (from.Send(frames, out int sent), sent, from.CommittedBytes));
        end.MostQueued = (2 * encodedBytes) + 1;
        Assert.Equal((PipeStatus.Wait, 10, 10), (from.Send(frames.AsSpan(10), out sent), sent, from.CommittedBytes));
        end.MostQueued = int.MaxValue;
        Assert.Equal((PipeStatus.Ready, 10, 0), (from.Send(frames.AsSpan(20), out sent), sent, from.CommittedBytes));
        byte[] room = new byte[100];
        to.Receive(room, out int received);
        Assert.Equal(frames, room[..received]);
    }

    [Fact]
    public void FramesBothWays_AfterWarmUp_AllocateNothing()
    {
        (MemoryPipe clientEnd, MemoryPipe serverEnd) = MemoryPipe.CreatePair();
        using WebSocketPipe client = WebSocketPipe.ForClient(clientEnd,
            new ConnectOptions { Host = "h", Port = 1, WebSocketProtocols = "rssl.rwf" }, new BufferPool());
        using WebSocketPipe server = WebSocketPipe.ForServer(serverEnd, [], new ListenOptions { Port = 0 }, new BufferPool());
        Assert.Equal((PipeStatus.Ready, PipeStatus.Ready), PipePump.OpenBoth(client, server, clientEnd, serverEnd));
        byte[] frame = [0x0f, 0xa0, 2, .. new byte[3997]];
        byte[] room = new byte[65_536];
        Turn(50);
        Allocation.None(() => Turn(200));

        void Turn(int times)
        {
            for (int i = 0; i < times; i++)
            {
                client.Send(frame, out _);
                server.Receive(room, out _);
                server.Send(frame, out _);
                client.Receive(room, out _);
            }
        }
    }

    private static (WebSocketPipe Pipe, PiecesPipe Pieces) Server(string request, byte[] frames, string protocols = "rssl.rwf")
    {
        PiecesPipe pieces = new([.. Encoding.ASCII.GetBytes(request), .. frames], 0);
        return (WebSocketPipe.ForServer(pieces, [], new ListenOptions { Port = 0, WebSocketProtocols = protocols }, new BufferPool()),
            pieces);
    }

    private static WebSocketPipe Open(MemoryPipe client, MemoryPipe server, string protocol)
    {
        server.Inject(Encoding.ASCII.GetBytes(Good.Replace("rssl.rwf", protocol, StringComparison.Ordinal)));
        WebSocketPipe pipe = WebSocketPipe.ForServer(server, [], new ListenOptions { Port = 0, WebSocketProtocols = protocol }, new BufferPool());
        Assert.Equal(PipeStatus.Ready, Open(pipe));
        client.TakeAll();
        return pipe;
    }

    private static void ReceiveAll(WebSocketPipe pipe)
    {
        byte[] room = new byte[1_000];
        while (pipe.Receive(room, out int count) == PipeStatus.Ready || count > 0)
        {
        }

        pipe.ReleaseWhenEmpty();
    }

    private static PipeStatus Open(WebSocketPipe pipe)
    {
        PipeStatus status = PipeStatus.Wait;
        for (int turn = 0; turn < 200 && status == PipeStatus.Wait; turn++)
            status = pipe.Open();
        return status;
    }
}
