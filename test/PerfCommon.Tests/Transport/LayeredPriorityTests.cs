using PerfCommon.Tests.Transport.Tls;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Priorities over layers that have encoded bytes ahead: nothing may be lost, repeated or torn.</summary>
public sealed class LayeredPriorityTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    private const int MessageBytes = 900;
    private const int Messages = 12_000;

    [Theory]
    [InlineData(false, null)]
    [InlineData(true, null)]
    [InlineData(false, "rssl.rwf")]
    [InlineData(true, "rssl.rwf")]
    public void Write_OtherPriorityWhileBlocked_EveryMessageArrivesOnce(bool encrypted, string? webSocket)
    {
        using LoopbackPair pair = new(new ListenOptions
        {
            Port = 0,
            InterfaceName = "127.0.0.1",
            Tls = encrypted ? files.Good : null,
            ReceiveBufferBytes = 8192,
        });
        pair.Connect(new ConnectOptions
        {
            Host = "localhost",
            Port = pair.Port,
            Tls = encrypted ? files.Trusting : null,
            WebSocketProtocols = webSocket,
            OutputBuffers = Messages + 10,
            SendBufferBytes = 8192,
        });
        Write(pair.Client, 0, Messages / 2, _ => WritePriority.Medium);
        Assert.False(pair.Client.Flush());
        Write(pair.Client, Messages / 2, Messages, i => (WritePriority)(i % 3));

        bool[] seen = new bool[Messages];
        byte[] expected = new byte[MessageBytes];
        int read = 0;
        pair.TurnUntil(() =>
        {
            while (pair.Server.TryRead(out ReadOnlySpan<byte> message))
            {
                int number = NumberOf(message);
                NumberedMessages.Fill(expected, number);
                Assert.True(message.SequenceEqual(expected) && !seen[number], $"message {number}");
                seen[number] = true;
                read++;
            }

            return read == Messages;
        });
        Assert.Equal(Messages, pair.Client.MessagesSent);
    }

    private static void Write(RsslChannel channel, int from, int to, Func<int, WritePriority> priority)
    {
        for (int i = from; i < to; i++)
        {
            bool begun = channel.TryBeginMessage(MessageBytes, out Span<byte> room, priority(i));
            Assert.True(begun,
                $"message {i}: {channel.State} {channel.Closed}, {channel.OutputBuffersInUse} of {channel.OutputBufferLimit}");
            NumberedMessages.Fill(room, i);
            channel.EndMessage(MessageBytes);
        }
    }

    private static int NumberOf(ReadOnlySpan<byte> message)
    {
        int number = 0;
        for (int i = 7; i >= 0; i--)
            number = number << 4 | message[i] - 'a';
        return number;
    }
}
