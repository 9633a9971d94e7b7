using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Recorded handshakes: requests answered by our server, answers of a server handled by our client.</summary>
[Trait("Category", "Vectors")]
public partial class HandshakeVectorTests
{
    public static TheoryData<string> ServerCases =>
        new(TransportVectors.Handshakes.Where(group => group.Value.Any(IsRequest)).Select(group => group.Key));

    public static TheoryData<string> ClientCases =>
        new(TransportVectors.Handshakes.Where(group => !group.Value.Any(IsRequest)).Select(group => group.Key));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ServerCases))]
    public void Server_RecordedRequest_AnswersLikeTheReference(string name)
    {
        TransportVector request = TransportVectors.Handshakes[name].Single(IsRequest);
        TransportVector response = TransportVectors.Handshakes[name].Single(entry => entry.Part == "response");
        CheckAnswer(request, response, [request.Bytes]);
        CheckAnswer(request, response,
            [.. Enumerable.Range(0, request.Bytes.Length).Select(at => (ReadOnlyMemory<byte>)request.Bytes.AsMemory(at, 1))]);
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
            CheckReaction(request, reply, key,
                [.. Enumerable.Range(0, reply.Bytes.Length).Select(at => (ReadOnlyMemory<byte>)reply.Bytes.AsMemory(at, 1))]);
            for (int split = 1; split < reply.Bytes.Length; split++)
                CheckReaction(request, reply, key, [reply.Bytes.AsMemory(0, split), reply.Bytes.AsMemory(split)]);
        }
    }

    private static bool IsRequest(TransportVector entry) => entry.Part == "request";

    private static void CheckAnswer(TransportVector request, TransportVector response, ReadOnlyMemory<byte>[] pieces)
    {
        ListenOptions options = SetUp(request, response);
        (RsslChannel channel, FeedPipe pipe) = TestChannels.OpenServer(options);
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            pipe.Feed(piece);
            channel.OnEvents(readable: true, writable: false, nowNanos: 0);
        }

        byte[] sent = pipe.Sent.ToArray();
        bool isClosed = pipe.IsDisposed;
        channel.Close();
        byte[]? expected = HandshakeRules.ExpectedAck(request, response, options);
        if (expected is null)
        {
            Assert.Equal(HandshakeRules.ExpectedRefusal(request, response, options), sent);
            Assert.True(isClosed);
            return;
        }

        // keys, lengths and product text are ours: compared are the bytes before them
        Assert.Equal(expected, sent[2..19]);
        Assert.Equal(ConnectRequest.TryParse(request.Bytes)!.WantsKey, sent.Length > 45 && sent[19] == 8 && sent[20] == 1);
        Assert.Equal(sent.Length, sent[0] << 8 | sent[1]);
    }

    private static void CheckReaction(TransportVector request, TransportVector reply, TransportVector? key, ReadOnlyMemory<byte>[] pieces)
    {
        int version = (int)request.Decoded.GetProperty("connVersion").GetUInt32() - 9;
        bool hasType = request.Decoded.GetProperty("protocolType").ValueKind == JsonValueKind.Number;
        ConnectOptions options = TestChannels.Connect with
        {
            ProtocolType = hasType
            ? request.Decoded.GetProperty("protocolType").GetByte() : (byte)0
        };
        (RsslChannel channel, FeedPipe pipe) = TestChannels.OpenClient(options, version);
        ConnectRequest ours = ConnectRequest.TryParse(pipe.Sent)!;
        ConnectRequest theirs = ConnectRequest.TryParse(request.Bytes)!;
        Assert.Equal(theirs with { HostName = "", Address = "", ComponentVersion = "" },
            ours with { HostName = "", Address = "", ComponentVersion = "" });

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
    private static ListenOptions SetUp(TransportVector request, TransportVector response)
    {
        string text = request.What.Split(';')[0];
        Match compression = Compression().Match(text);
        Match version = Version().Match(text);
        bool hasOtherType = request.What.Contains("server 88", StringComparison.Ordinal);
        byte asked = ConnectRequest.TryParse(request.Bytes)?.ProtocolType ?? RsslProtocol.TransportPerf;
        byte type = hasOtherType ? RsslProtocol.TransportPerf : (byte)Number(Type().Match(text), asked);
        return new ListenOptions
        {
            Port = 0,
            ProtocolType = type,
            MaxFragmentSize = Number(Max().Match(text), 6144),
            PingTimeoutSeconds = Number(Ping().Match(text), 60),
            MinPingTimeoutSeconds = Number(MinPing().Match(text), 20),
            CompressionType = !compression.Success
                ? CompressionType.None : compression.Groups[1].Value == "zlib" ? CompressionType.Zlib : CompressionType.Lz4,
            CompressionLevel = LevelOf(compression, response),
            ForceCompression = text.Contains("forced", StringComparison.Ordinal),
            MajorVersion = (byte)Number(version, 14),
            MinorVersion = version.Success ? byte.Parse(version.Groups[2].ValueSpan, CultureInfo.InvariantCulture) : (byte)1,
        };
    }

    // A level that the description omits is taken from the answer: it is the server's own choice.
    private static int LevelOf(Match compression, TransportVector response)
    {
        const int Usual = 6;
        if (compression.Groups[2].Success)
            return int.Parse(compression.Groups[2].ValueSpan, CultureInfo.InvariantCulture);
        return response.Decoded.TryGetProperty("compressionLevel", out JsonElement level) ? level.GetInt32() : Usual;
    }

    private static int Number(Match match, int otherwise) =>
        match.Success ? int.Parse(match.Groups[1].ValueSpan, CultureInfo.InvariantCulture) : otherwise;

    [GeneratedRegex(@"max (\d+)")]
    private static partial Regex Max();

    [GeneratedRegex(@"ping timeout (\d+)")]
    private static partial Regex Ping();

    [GeneratedRegex(@"min ping (\d+)")]
    private static partial Regex MinPing();

    [GeneratedRegex(@"\btype (\d+)")]
    private static partial Regex Type();

    [GeneratedRegex(@"(zlib|lz4)(?: level (\d))?")]
    private static partial Regex Compression();

    [GeneratedRegex(@"(?:RWF|version) (\d+)\.(\d+)")]
    private static partial Regex Version();
}
