using System.Text;
using PerfTools.Hosting.Control;
using Xunit;

namespace PerfCommon.Tests.Hosting.Control;

/// <summary>Requests as bytes, whole and in every division.</summary>
public class HttpRequestReaderTests
{
    private const string Get = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9400\r\n\r\n";
    private const string Post =
        "POST /control?x=1 HTTP/1.1\r\nhost: LOCALHOST\r\nX-perftools:  1 \r\nAuthorization: Bearer a b\r\nContent-Length: 7\r\n\r\nmark=ab";
    private const string Chunked = "POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: Chunked\r\n\r\n4\r\nmark\r\n3\r\n=ab\r\n0\r\n\r\n";

    private static readonly string[] Hosts = ["127.0.0.1", "localhost"];

    [Fact]
    public void Advance_Get_IsARequestWithoutABody()
    {
        HttpRequestReader reader = Read(Get);
        Assert.Equal(new ControlRequest("GET", "/metrics"), reader.Request);
        Assert.Null(reader.Refusal);
    }

    [Theory]
    [InlineData(Post, "Bearer a b", "1")]
    [InlineData(Chunked, null, null)]
    public void Advance_Post_IsTheSameHoweverItIsDivided(string text, string? authorization, string? own)
    {
        ControlRequest expected = new("POST", "/control") { Authorization = authorization, Own = own, Body = "mark=ab" };
        Assert.Equal(expected, Read(text).Request);
        Assert.Equal(expected, Read(text, pieceBytes: 1).Request);
        for (int split = 1; split < text.Length; split++)
        {
            HttpRequestReader reader = new(Hosts);
            Put(reader, text[..split]);
            Assert.False(reader.IsWhole);
            Put(reader, text[split..]);
            Assert.Equal(expected, reader.Request);
        }
    }

    [Fact]
    public void BytesExamined_OfAHead_AreItsSearchForTheEndAndItsReading()
    {
        Assert.Equal(2 * Get.Length, Read(Get).BytesExamined);
        Assert.InRange(Read(Get, pieceBytes: 1).BytesExamined, 2 * Get.Length, 5 * Get.Length); // three bytes of an end are searched once more each time
    }

    [Fact]
    public void BytesExamined_OfChunks_AreTheirSizesAndTheirBytes()
    {
        int head = Chunked.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4;
        const int chunks = 10 + 9 + 10 + 8 + 5 + 5; // for the size of each ten bytes at most, and each whole
        Assert.Equal(Chunked.Length + head + chunks, Read(Chunked).BytesExamined);
    }

    [Fact]
    public void Advance_WholeAddress_CountsAsTheHost()
    {
        Assert.Equal(new ControlRequest("GET", "/metrics"), Read("GET http://localhost:1/metrics?a HTTP/1.1\r\n\r\n").Request);
        Assert.Equal(404, Read("GET http://elsewhere/metrics HTTP/1.1\r\n\r\n").Refusal?.Status);
    }

    // HTTP/1.1 demands the header in such a request, too, and the address counts.
    [Theory]
    [InlineData("localhost:1", "Host: elsewhere\r\n", null)]
    [InlineData("127.0.0.1", "Host: 127.0.0.1\r\n", null)]
    [InlineData("elsewhere", "Host: localhost\r\n", 404)]
    [InlineData("localhost", "Host: localhost\r\nHost: localhost\r\n", 400)]
    public void Advance_WholeAddressBesideTheHeader_CountsAndTheHeaderDoesNot(string address, string headers, int? status) =>
        Assert.Equal(status, Read($"GET http://{address}/metrics HTTP/1.1\r\n{headers}\r\n").Refusal?.Status);

    [Theory]
    [InlineData("Host: elsewhere\r\n", 404)]
    [InlineData("Host: 127.0.0.1.elsewhere:9400\r\n", 404)]
    [InlineData("", 404)]
    [InlineData("Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\nContent-Length: -1\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\nTransfer-Encoding: gzip\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\n folded: 1\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\nno header\r\n", 400)]
    [InlineData("Host : 127.0.0.1\r\n", 400)]
    [InlineData("Host: 127.0.0.1\r\na: b\nc: d\r\n", 400)]
    public void Advance_HeadersThatCannotBe_AreRefused(string headers, int status) =>
        Assert.Equal(status, Read($"GET /metrics HTTP/1.1\r\n{headers}\r\n").Refusal?.Status);

    [Theory]
    [InlineData("GET /metrics")]
    [InlineData("GET  /metrics HTTP/1.1")]
    [InlineData("GET /metrics HTTP/2.0")]
    [InlineData("GET metrics HTTP/1.1")]
    [InlineData("\u0016\u0003\u0001")]
    [InlineData("")]
    public void Advance_NoRequestLine_IsRefused(string line) =>
        Assert.Equal(400, Read($"{line}\r\nHost: localhost\r\n\r\n").Refusal?.Status);

    [Fact]
    public void Advance_EveryNameWhereNoneIsDemanded_IsTaken()
    {
        HttpRequestReader reader = new([]);
        Put(reader, "GET / HTTP/1.1\r\nHost: any\r\n\r\n");
        Assert.NotNull(reader.Request);
    }

    [Theory]
    [InlineData(HttpRequestReader.MaxHeadBytes, null)]
    [InlineData(HttpRequestReader.MaxHeadBytes + 1, 431)]
    public void Advance_HeadAtTheLimit_IsTakenAndNoByteMore(int bytes, int? status)
    {
        string start = "GET / HTTP/1.1\r\nHost: localhost\r\nx: ";
        string head = start + new string('x', bytes - start.Length - 4) + "\r\n\r\n";
        Assert.Equal(status, Read(head).Refusal?.Status);
        Assert.Equal(status, Read(head, pieceBytes: 100).Refusal?.Status);
    }

    [Fact]
    public void Advance_HeadWithoutEnd_IsRefusedAtTheLimit()
    {
        HttpRequestReader reader = new(Hosts);
        for (int i = 0; i <= HttpRequestReader.MaxHeadBytes && !reader.IsWhole; i += 100)
            Put(reader, new string('x', 100));
        Assert.Equal(431, reader.Refusal?.Status);
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(1, 431)]
    public void Advance_HeadAtTheLimit_IsRefusedOneByteAboveIt(int above, int? status)
    {
        const string Begin = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Long: ";
        string head = Begin + new string('x', HttpRequestReader.MaxHeadBytes + above - Begin.Length - 4) + "\r\n\r\n";
        Assert.Equal(status, Read(head).Refusal?.Status);
        Assert.Equal(status, Read(head, pieceBytes: 1).Refusal?.Status);

        HttpRequestReader endless = new(Hosts);
        Put(endless, new string('x', HttpRequestReader.MaxHeadBytes + above));
        Assert.Equal(status, endless.Refusal?.Status);
    }

    [Theory]
    [InlineData("5\r\nmark\r\n0\r\n\r\n", 400)]
    [InlineData("g\r\n", 400)]
    [InlineData("ffffffff\r\n", 400)]
    [InlineData("00000004\r\nmark\r\n0\r\n\r\n", null)]
    [InlineData("000000004\r\nmark\r\n", 400)]
    [InlineData("00000000004\r\nmark\r\n", 400)]
    [InlineData("4;a=b\r\nmark\r\n0\r\n\r\n", 400)]
    public void Advance_ChunksThatCannotBe_AreRefused(string body, int? status) =>
        Assert.Equal(status, Read(Chunked[..(Chunked.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4)] + body).Refusal?.Status);

    [Fact]
    public void Advance_ManySmallChunks_AreTooLargeBeforeTheyAreKept()
    {
        string head = Chunked[..(Chunked.IndexOf("\r\n\r\n", StringComparison.Ordinal) + 4)];
        HttpRequestReader reader = Read(head + string.Concat(Enumerable.Repeat("1\r\na\r\n", 4_000)), pieceBytes: 1_000);
        Assert.Equal((true, null), (reader.Request is not null, reader.Request?.Body));
    }

    [Fact]
    public void AwaitsContinue_OnlyUntilTheBodyBegins()
    {
        string head = "POST /control HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
        HttpRequestReader reader = new(Hosts);
        Put(reader, head);
        Assert.True(reader.AwaitsContinue);
        Put(reader, "a");
        Assert.False(reader.AwaitsContinue);
        Put(reader, "=");
        Assert.Equal("a=", reader.Request?.Body);
    }

    private static HttpRequestReader Read(string text, int? pieceBytes = null)
    {
        HttpRequestReader reader = new(Hosts);
        foreach (char[] piece in text.Chunk(pieceBytes ?? text.Length))
        {
            if (!reader.IsWhole)
                Put(reader, new string(piece));
        }

        return reader;
    }

    private static void Put(HttpRequestReader reader, string text)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(text);
        for (int done = 0; done < bytes.Length && !reader.IsWhole;)
        {
            Span<byte> room = reader.Room.Span;
            int count = Math.Min(room.Length, bytes.Length - done);
            bytes.AsSpan(done, count).CopyTo(room);
            reader.Advance(count);
            done += count;
        }
    }
}
