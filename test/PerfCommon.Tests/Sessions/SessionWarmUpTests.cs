using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public class SessionWarmUpTests
{
    [Fact]
    public void Provider_ShippedMessages_EncodesRefreshesAndUpdates()
    {
        WorkerRecording recording = new();
        SessionWarmUp.Provider(SessionSamples.Provider, new SampleLoad(SessionSamples.Updates()), recording);

        Assert.True(recording.Counters[Counter.RefreshesSent] > 0);
        Assert.True(recording.Counters[Counter.UpdatesSent] > 0);
    }

    [Fact]
    public void Consumer_ShippedDictionary_DecodesValues()
    {
        DecodingConsumer consumer = new();
        SessionWarmUp.Consumer(SessionSamples.Dictionary, SessionSamples.Messages, consumer, new WorkerRecording());

        Assert.True(consumer.Refreshes > 0 && consumer.Updates > 0);
        Assert.NotEqual(0UL, consumer.Decoder.Checksum);
        Assert.Equal(0, consumer.Decoder.UnknownFields);
        Assert.Equal(CloseKind.PeerClosed, consumer.Session.Closed?.Kind);
    }

    [Fact]
    public void Publisher_ShippedMessages_EncodesRefreshesAndUpdates()
    {
        WorkerRecording recording = new();
        SessionWarmUp.Publisher(PublisherPair.Items(0), new PublisherLoad(SessionSamples.Updates()), recording);

        Assert.True(recording.Counters[Counter.RefreshesSent] > 0);
        Assert.True(recording.Counters[Counter.UpdatesSent] > 0);
    }

    private sealed class DecodingConsumer : ConsumerHandler
    {
        public FieldListDecoder Decoder { get; } = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);

        public int Refreshes { get; private set; }

        public int Updates { get; private set; }

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
        {
            Refreshes++;
            Assert.Equal(DecodeResult.Success, Decoder.Decode(refresh.Message, refresh.PayloadStart));
        }

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
        {
            Updates++;
            Assert.Equal(DecodeResult.Success, Decoder.Decode(update.Message, update.PayloadStart));
        }
    }
}
