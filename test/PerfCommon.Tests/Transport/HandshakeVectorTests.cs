using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Recorded handshakes: requests answered by our server, answers of a server met by our client.</summary>
[Trait("Category", "Vectors")]
public partial class HandshakeVectorTests
{
    public static TheoryData<string> ServerCases => new(TransportVectors.Handshakes.Where(group => group.Value.Any(IsRequest)).Select(group => group.Key));

    public static TheoryData<string> ClientCases => new(TransportVectors.Handshakes.Where(group => !group.Value.Any(IsRequest)).Select(group => group.Key));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ServerCases))]
    public void Server_RecordedRequest_AnswersLikeTheReference(string name)
    {
        TransportVector request = TransportVectors.Handshakes[name].Single(IsRequest);
        TransportVector response = TransportVectors.Handshakes[name].Single(entry => entry.Part == "response");
        CheckAnswer(request, response, [request.Bytes]);
        CheckAnswer(request, response, [.. Enumerable.Range(0, request.Bytes.Length).Select(at => (ReadOnlyMemory<byte>)request.Bytes.AsMemory(at, 1))]);
        for (int split = 1; split < request.Bytes.Length; split++)
            CheckAnswer(request, response, [request.Bytes.AsMemory(0, split), request.Bytes.AsMemory(split)]);
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ClientCases))]
    public void Client_RecordedAnswer_ReactsLikeTheReference(string name)
    {
        TransportVector[] entries = TransportVectors.Handshakes[name];
        for (int attempt = 0; entries.SingleOrDefault(entry => entry.Part == $"request{attempt}") is TransportVector request; attempt++)
        {
            TransportVector reply = entries.Single(entry => entry.Part == $"reply{attempt}");
            TransportVector? key = entries.SingleOrDefault(entry => entry.Part == "clientKey");
            CheckReaction(request, reply, key, [reply.Bytes]);
            CheckReaction(request, reply, key, [.. Enumerable.Range(0, reply.Bytes.Length).Select(at => (ReadOnlyMemory<byte>)reply.Bytes.AsMemory(at, 1))]);
            for (int split = 1; split < reply.Bytes.Length; split++)
                CheckReaction(request, reply, key, [reply.Bytes.AsMemory(0, split), reply.Bytes.AsMemory(split)]);
        }
    }

    private static bool IsRequest(TransportVector entry) => entry.Part == "request";

    private static void CheckAnswer(TransportVector request, TransportVector response, ReadOnlyMemory<byte>[] pieces)
    {
        ListenOptions options = SetUp(request);
        (RsslChannel channel, FeedPipe pipe) = TestChannels.OpenServer(options);
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            pipe.Feed(piece);
            channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        }
        byte[] sent = pipe.Sent.ToArray();
        channel.Close();
        if (response.Message != "connectAck")
        {
            Assert.Equal(response.Bytes, sent);
            Assert.True(pipe.IsDisposed);
            return;
        }

        // keys, lengths and product text are ours: compared is what stands before them
        byte[] expected = response.Bytes[2..19];
        if (response.Decoded.TryGetProperty("note", out _))
            ApplyRules(request, options, expected);
        Assert.Equal(expected, sent[2..19]);
        Assert.Equal(response.Decoded.TryGetProperty("keyExchange", out _), sent.Length > 45 && sent[19] == 8 && sent[20] == 1);
        Assert.Equal(sent.Length, sent[0] << 8 | sent[1]);
    }

    /// <summary>Where the reference deviates, transport.md 1.6 decides: the lower protocol version, the common compression.</summary>
    private static void ApplyRules(TransportVector request, ListenOptions options, byte[] answer)
    {
        (byte, byte) theirs = (request.Decoded.GetProperty("major").GetByte(), request.Decoded.GetProperty("minor").GetByte());
        (byte, byte) ours = (options.MajorVersion, options.MinorVersion);
        (answer[12], answer[13]) = theirs.CompareTo(ours) < 0 ? theirs : ours;
        string bitmap = request.Decoded.GetProperty("compBitmap").GetString()!;
        int offered = bitmap.Length == 0 ? 0 : int.Parse(bitmap, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        answer[15] = (offered & (int)options.CompressionType) != 0 ? (byte)options.CompressionType : (byte)0;
    }

    private static void CheckReaction(TransportVector request, TransportVector reply, TransportVector? key, ReadOnlyMemory<byte>[] pieces)
    {
        int version = (int)request.Decoded.GetProperty("connVersion").GetUInt32() - 9;
        bool hasType = request.Decoded.GetProperty("protocolType").ValueKind == JsonValueKind.Number;
        ConnectOptions options = TestChannels.Connect with { ProtocolType = hasType ? request.Decoded.GetProperty("protocolType").GetByte() : (byte)0 };
        (RsslChannel channel, FeedPipe pipe) = TestChannels.OpenClient(options, version);
        ConnectRequest ours = ConnectRequest.TryParse(pipe.Sent)!;
        ConnectRequest theirs = ConnectRequest.TryParse(request.Bytes)!;
        Assert.Equal(theirs with { HostName = "", Address = "", ComponentVersion = "" }, ours with { HostName = "", Address = "", ComponentVersion = "" });

        pipe.ClearSent();
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            pipe.Feed(piece);
            channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        }
        pipe.InputEnds = reply.Bytes.Length == 0;
        channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        if (key is null)
        {
            Assert.Equal(ChannelState.Closed, channel.State);
            Assert.Equal(0, pipe.Sent.Length);
            bool mayGoLower = reply.Bytes.Length == 0 && version > ConnectionVersions.LowestFor(options);
            Assert.Equal(mayGoLower ? version - 1 : (int?)null, channel.NextVersion);
        }
        else
        {
            Assert.Equal(ChannelState.Active, channel.State);
            Assert.Equal(key.Bytes[..4], pipe.Sent[..4].ToArray());
            Assert.Equal(key.Bytes.Length, pipe.Sent.Length);
        }
        channel.Close();
    }

    /// <summary>Reads the server's set-up from the description, up to the semicolon.</summary>
    private static ListenOptions SetUp(TransportVector request)
    {
        string text = request.What.Split(';')[0];
        Match compression = Compression().Match(text);
        Match version = Version().Match(text);
        bool hasOtherType = request.What.Contains("server 88", StringComparison.Ordinal);
        byte type = ConnectRequest.TryParse(request.Bytes)?.ProtocolType ?? RsslProtocol.TransportPerf;
        return new ListenOptions
        {
            Port = 0,
            ProtocolType = hasOtherType ? RsslProtocol.TransportPerf : type,
            MaxFragmentSize = Number(Max().Match(text), 6144),
            PingTimeoutSeconds = Number(Ping().Match(text), 60),
            MinPingTimeoutSeconds = Number(MinPing().Match(text), 20),
            CompressionType = !compression.Success ? CompressionType.None : compression.Groups[1].Value == "zlib" ? CompressionType.Zlib : CompressionType.Lz4,
            CompressionLevel = compression.Success ? int.Parse(compression.Groups[2].ValueSpan, CultureInfo.InvariantCulture) : 6,
            ForceCompression = text.Contains("forced", StringComparison.Ordinal),
            MajorVersion = (byte)Number(version, 14),
            MinorVersion = version.Success ? byte.Parse(version.Groups[2].ValueSpan, CultureInfo.InvariantCulture) : (byte)1,
        };
    }

    private static int Number(Match match, int otherwise) => match.Success ? int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture) : otherwise;

    [GeneratedRegex(@"max (\d+)")]
    private static partial Regex Max();

    [GeneratedRegex(@"ping timeout (\d+)")]
    private static partial Regex Ping();

    [GeneratedRegex(@"min ping (\d+)")]
    private static partial Regex MinPing();

    [GeneratedRegex(@"(zlib|lz4) level (\d)")]
    private static partial Regex Compression();

    [GeneratedRegex(@"RWF (\d+)\.(\d+)")]
    private static partial Regex Version();
}
