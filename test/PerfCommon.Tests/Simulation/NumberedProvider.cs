using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>
/// A provider that sends numbered updates and generic messages, sends posts back, and expects to receive the messages that were sent.
/// </summary>
internal sealed class NumberedProvider(ConversationSettings settings) : ProviderHandler
{
    private readonly UpdateLoad _load = new(settings);
    private readonly Sequence _posts = new("post", StampFields.PostIndex);
    private readonly Sequence _generics = new("generic message of the consumer", StampFields.GenericIndex);
    private long _genericsSent;

    protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

    protected internal override bool WantsTicks => true;

    protected internal override bool IsBlocked => _load.IsBlocked;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        SessionSamples.Messages.Refresh.EncodeList(ref writer);

    protected internal override void OnOpened() => _load.Open(Session, Session.Items.Rotation);

    protected internal override bool OnTick(in TickInfo tick)
    {
        if (tick.Index % 6 == 0 && Session.UpdatingItems > 0)
        {
            int item = Session.UpdatingItemAt((int)(tick.Index % Session.UpdatingItems));
            if (Session.TrySendGeneric(item, NumberedUpdates.FieldsOf(_genericsSent), (ulong)_genericsSent + 1))
                _genericsSent++;
        }

        return _load.Begin(tick, Session.Number);
    }

    protected internal override void OnContinue() => _load.Send();

    protected internal override void OnPost(int item, scoped in RwfMsg post)
    {
        Assert.True(RwfMsg.TryDecode(post.Payload, out RwfMsg inner) == DecodeResult.Success, "a post without a message");
        _posts.Take(inner.Message, inner.PayloadStart);
        Assert.Equal(PostRefusal.None, Session.Reflect(item, post));
    }

    protected internal override void OnGeneric(int item, scoped in RwfMsg message) => _generics.Take(message.Message, message.PayloadStart);

    protected internal override void OnFinishing() => _load.GiveUp();

    protected internal override void OnClosed(CloseReason reason) => _load.GiveUp();

    /// <summary>Checks the counts once the connection is closed.</summary>
    public void Check()
    {
        if (Session.OpenedNanos == 0)
            return;
        CounterSet counters = Session.Counters;
        _load.Check();
        Assert.Equal(_genericsSent, counters[Counter.GenericSent] + counters[Counter.GenericNotSent]);
        Assert.Equal((_posts.Received, _generics.Received), (counters[Counter.PostsReceived], counters[Counter.GenericReceived]));
        Assert.Equal(_posts.Received,
            counters[Counter.PostsReflected] + counters[Counter.PostsNotReflected] + counters[Counter.PostsRefused]);
        Assert.Equal((0, 0), (counters[Counter.MessagesDropped], counters[Counter.RequestsRejected]));
    }
}
