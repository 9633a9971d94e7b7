using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>A consumer that posts, sends generic messages, and expects to receive exactly the messages that were sent.</summary>
internal sealed class NumberedConsumer(ConversationSettings settings) : ConsumerHandler
{
    private readonly bool[] _hasRefresh = new bool[settings.Items];
    private readonly Sequence _updates = new("update", StampFields.UpdateIndex);
    private readonly Sequence _reflections = new("reflected post", StampFields.PostIndex);
    private readonly Sequence _generics = new("generic message of the provider", StampFields.GenericIndex);
    private readonly byte[] _expected = new byte[8_192];
    private long _posts;
    private long _genericsSent;

    public int Refreshes { get; private set; }

    public long Updates => _updates.Received;

    public long Reflections => _reflections.Received;

    public long Generics => _generics.Received;

    protected internal override bool WantsTicks => true;

    protected internal override bool OnTick(in TickInfo tick)
    {
        int item = (int)(tick.Index % settings.Items);
        if (tick.Index % 7 == 0 && Session.TrySendPost(item, NumberedUpdates.FieldsOf(_posts), (ulong)_posts + 1))
            _posts++;
        if (tick.Index % 5 == 0 && Session.TrySendGeneric(item, NumberedUpdates.FieldsOf(_genericsSent), (ulong)_genericsSent + 1))
            _genericsSent++;
        return true;
    }

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        Assert.True(refresh.Key.Name.SequenceEqual(Session.NameOf(item)), $"the refresh of item {item} has another's name");
        Assert.False(_hasRefresh[item], $"item {item} has two refreshes");
        _hasRefresh[item] = true;
        Refreshes++;
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        if (!_hasRefresh[item])
            Assert.Fail($"an update of item {item} before its refresh");
        long number = _updates.Take(update.Message, update.PayloadStart);
        int bytes = default(UpdateMessage).Encode(_expected, update.StreamId, NumberedUpdates.FieldsOf(number), (ulong)number);
        if (!update.Message.SequenceEqual(_expected.AsSpan(0, bytes)))
            Assert.Fail($"update {number} is not as it was sent");
    }

    protected internal override void OnFullUpdate(int item, scoped in RwfMsg update) =>
        _reflections.Take(update.Message, update.PayloadStart);

    protected internal override void OnGeneric(int item, scoped in RwfMsg message) => _generics.Take(message.Message, message.PayloadStart);

    protected internal override void OnStatus(int item, scoped in RwfMsg status) =>
        Assert.Fail($"status of item {item}: {DomainMsg.Show(status.State)}");

    /// <summary>Checks the counts once the connection is closed.</summary>
    public void Check()
    {
        if (Session.OpenedNanos == 0)
            return;
        CounterSet counters = Session.Counters;
        Assert.Equal(_posts, counters[Counter.PostsSent] + counters[Counter.PostsNotSent]);
        Assert.Equal(_genericsSent, counters[Counter.GenericSent] + counters[Counter.GenericNotSent]);
        Assert.Equal(0, counters[Counter.MessagesDropped]);
    }
}
