using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Very many connections at one provider, at once and one after the other.</summary>
public class ManyConnectionsTests
{
    private const int Items = 10;

    [Fact]
    public void Serve_ThousandConsumers_EachGetsItsImagesAndEveryUpdateIsCounted()
    {
        const int Count = 1_000;
        const int TickRate = 10;
        using LoopbackProvider provider = new(workers: 2, SessionSamples.Updates(rate: 20, stampRate: 10, TickRate), TickRate);
        using LoopbackConsumers consumers = new(provider.Port, Count, Items);
        LoopbackConsumers.Until(
            () => consumers.All.All(consumer => consumer is { Images: Items, Updates: > 20 }),
            () => $"{consumers.All.Sum(consumer => consumer.Images)} images, {consumers.All.Count(consumer => consumer.Updates == 0)} without an update");
        Assert.Equal([Count / 2, Count / 2], provider.Workers.Select(worker => worker.OpenConnections));

        provider.End();
        consumers.End();
        Assert.Equal(Count * Items, provider.Count(Counter.RefreshesSent));
        Assert.Equal(provider.Count(Counter.UpdatesSent), consumers.All.Sum(consumer => consumer.Updates));
        Assert.Equal(
            provider.Sessions.Select(session => session.Counters[Counter.UpdatesSent]).Order(),
            consumers.All.Select(consumer => consumer.Updates).Order());
        Assert.Equal((0, 0), (provider.Count(Counter.RequestsRejected), provider.Count(Counter.MessagesDropped)));
    }

    [Fact]
    public void Serve_ThousandsComeAndGo_TheOthersGetEverything()
    {
        const int Rounds = 150;
        const int AtOnce = 20;
        const int Staying = 5;
        using LoopbackProvider provider = new(workers: 2, SessionSamples.Updates(rate: 1_000, stampRate: 10, tickRate: 100), tickRate: 100);
        using LoopbackConsumers consumers = new(provider.Port, Staying, Items);
        LoopbackConsumers.Until(() => consumers.All.All(consumer => consumer.Images == Items), () => "images are missing");
        ProviderSession[] staying = [.. provider.Sessions];
        for (int round = 0; round < Rounds; round++)
            ComeAndGo(provider.Port, AtOnce, round);

        long before = consumers.All.Min(consumer => consumer.Updates);
        LoopbackConsumers.Until(
            () => provider.Workers.Sum(worker => worker.ServedConnections) == Staying
                && consumers.All.All(consumer => consumer.Updates > before + 100),
            () => $"{provider.Workers.Sum(worker => worker.ServedConnections)} are served");
        provider.End();
        consumers.End();
        Assert.Equal(staying.Select(session => session.Counters[Counter.UpdatesSent]).Order(),
            consumers.All.Select(consumer => consumer.Updates).Order());
        Assert.Equal(0, staying.Sum(session => session.Counters[Counter.RefreshesNotSent]));
        Assert.True(provider.Sessions.Count > Rounds * AtOnce / 2, "hardly any of them was accepted");
    }

    // Some disconnect before their handshake, some in it, some with a login and requests in transit, some with updates unread; half of them by
    // a reset.
    private static void ComeAndGo(int port, int count, int round)
    {
        using ChannelPoller poller = new();
        RsslChannel[] channels =
            [.. Enumerable.Range(0, count).Select(_ => poller.Connect(new ConnectOptions { Host = "127.0.0.1", Port = port }))];
        long enough = Clock.NowNanos + (round % 4 * Clock.NanosPerMilli);
        do
        {
            poller.Wait(Clock.NowNanos);
            foreach (RsslChannel channel in channels)
                Ask(channel);
        }
        while (Clock.NowNanos < enough);
        foreach ((int i, RsslChannel channel) in channels.Index())
        {
            if ((i & 1) == 0)
                channel.Close();
            else
                channel.Abort("the test leaves");
        }
    }

    private static void Ask(RsslChannel channel)
    {
        if (channel.State != ChannelState.Active || channel.MessagesWritten > 0)
            return;
        LoginConsumer login = new(new LoginIdentity { UserName = "storm", ApplicationName = "test", Position = "" });
        Write(channel, Wire.Encode(login.EncodeRequest));
        Write(channel, Wire.Encode(ProviderConversation.Request(6, "A", RequestFlags.Streaming)));
        channel.Flush();
    }

    private static void Write(RsslChannel channel, byte[] message)
    {
        if (!channel.TryBeginMessage(message.Length, out Span<byte> room))
            return;
        message.CopyTo(room);
        channel.EndMessage(message.Length);
    }
}
