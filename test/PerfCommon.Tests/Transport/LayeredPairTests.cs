using PerfCommon.Tests.Transport.Tls;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Our client and our server in every combination of connection, compression, packing and fragmentation.</summary>
public sealed class LayeredPairTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private const int MaxFragmentSize = 1000;

    public static MatrixTheoryData<string, CompressionType, int> Combinations => new(
        ["tcp", "tls", "rssl.rwf", "tls+rssl.rwf", "tr_json2", "tls+tr_json2"],
        [CompressionType.None, CompressionType.Zlib, CompressionType.Lz4],
        [0, 900]);

    [Theory]
    [MemberData(nameof(Combinations))]
    public void Exchange_BothWays_DeliversEveryMessage(string connection, CompressionType compression, int packBytes)
    {
        using LoopbackPair pair = new(Listen(connection, compression));
        pair.Connect(Client(connection, compression, pair.Port));
        Assert.True(pair.Client.State == ChannelState.Active, $"{pair.Client.Closed}");
        bool isJson = connection.EndsWith("json2", StringComparison.Ordinal);
        Assert.Equal(isJson ? CompressionType.None : compression, pair.Client.Info.CompressionType);

        int[] lengths = [.. Enumerable.Range(0, 400).Select(i => i % 50 == 49 ? 20_000 : i % 10 == 9 ? 1_500 : 8 + i % 300)];
        NumberedMessages.Exchange(pair, pair.Client, pair.Server, lengths, packBytes);
        NumberedMessages.Exchange(pair, pair.Server, pair.Client, lengths, packBytes);
    }

    [Theory]
    [InlineData("tcp")]
    [InlineData("tls")]
    [InlineData("rssl.rwf")]
    [InlineData("tls+rssl.rwf")]
    [InlineData("tls+tr_json2")]
    public void FinishSending_ThenRead_ClosesInGoodOrder(string connection)
    {
        using LoopbackPair pair = new(Listen(connection, CompressionType.None));
        pair.Connect(Client(connection, CompressionType.None, pair.Port));
        Assert.True(pair.Client.TryBeginMessage(100, out Span<byte> room));
        NumberedMessages.Fill(room, 0);
        pair.Client.EndMessage(100);
        pair.Client.FinishSending();
        int read = 0;
        pair.TurnUntil(() =>
        {
            while (pair.Server.TryRead(out _))
                read++;
            pair.Client.TryRead(out _);
            return pair.Server.Closed is not null && pair.Client.Closed is not null;
        });
        Assert.Equal(1, read);
        Assert.Equal((CloseKind.PeerClosed, CloseKind.PeerClosed), (pair.Server.Closed!.Kind, pair.Client.Closed!.Kind));
    }

    [Theory]
    [InlineData("tcp", 103, 103)]
    [InlineData("rssl.rwf", 103 + 6, 103 + 2)] // header of WebSocket: 2 bytes, a client's mask 4 more
    [InlineData("tr_json2", 102 + 6, 102 + 2)] // brackets instead of the frame's header
    [InlineData("tls+rssl.rwf", 103 + 6, 103 + 2)]
    public void BytesWritten_OneMessage_HasTheHeadersOfWebSocket(string connection, long byClient, long byServer)
    {
        using LoopbackPair pair = new(Listen(connection, CompressionType.None));
        pair.Connect(Client(connection, CompressionType.None, pair.Port));

        NumberedMessages.Exchange(pair, pair.Client, pair.Server, [100], packBytes: 0);
        NumberedMessages.Exchange(pair, pair.Server, pair.Client, [100], packBytes: 0);
        Assert.Equal((byClient, byServer), (pair.Client.BytesWritten, pair.Server.BytesWritten));
        pair.Client.SendPing();
        Assert.Equal(byClient, pair.Client.BytesWritten);
    }

    [Theory]
    [InlineData("rssl.rwf")]
    [InlineData("tr_json2")]
    [InlineData("tls+rssl.rwf")]
    [InlineData("tls")]
    public void Idle_AfterTraffic_LayersHoldNoArray(string connection)
    {
        using LoopbackPair pair = new(Listen(connection, CompressionType.None));
        pair.Connect(Client(connection, CompressionType.None, pair.Port));
        for (int round = 0; round < 3; round++)
        {
            NumberedMessages.Exchange(pair, pair.Client, pair.Server, [100, 20_000, 300], packBytes: 0);
            NumberedMessages.Exchange(pair, pair.Server, pair.Client, [100, 20_000, 300], packBytes: 0);
            Assert.False(pair.Client.TryRead(out _) || pair.Server.TryRead(out _));
            Assert.Equal((0, 0), (pair.Client.LayerBytesHeld, pair.Server.LayerBytesHeld));
        }
    }

    private ListenOptions Listen(string connection, CompressionType compression) => new()
    {
        Port = 0,
        InterfaceName = "127.0.0.1",
        MaxFragmentSize = MaxFragmentSize,
        CompressionType = compression,
        Tls = connection.StartsWith("tls", StringComparison.Ordinal) ? files.Good : null,
        WebSocketProtocols = "tr_json2, rssl.rwf",
    };

    private ConnectOptions Client(string connection, CompressionType compression, int port) => new()
    {
        Host = "localhost",
        Port = port,
        CompressionType = compression,
        Tls = connection.StartsWith("tls", StringComparison.Ordinal) ? files.Trusting : null,
        WebSocketProtocols = connection.Contains('_', StringComparison.Ordinal) || connection.Contains('.', StringComparison.Ordinal)
            ? connection.Replace("tls+", "", StringComparison.Ordinal)
            : null,
    };
}
