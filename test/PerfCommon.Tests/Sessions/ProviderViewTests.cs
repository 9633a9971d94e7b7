using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Views that a provider's session offers, applies and changes.</summary>
public class ProviderViewTests
{
    private static readonly ProviderSessionOptions Offering =
        SessionSamples.Provider with { Offer = SessionSamples.Provider.Offer! with { SupportViewRequests = true } };

    private static readonly ServiceInfo Service = new() { Id = SessionSamples.Service.Id, Name = SessionSamples.Service.Name };

    // all of the refresh; two of the one update, one of the other
    private static readonly FieldView Three = new(6, 22, 25);

    [Fact]
    public void Login_ViewsOffered_SaysSo()
    {
        using ProviderConversation talk = new(Offering, logsIn: false);
        talk.LogIn();
        LoginAttributes.TryRead(talk.Last(MsgClass.Refresh).Key, out LoginAttributes offered);
        Assert.True(offered.SupportViewRequests);
    }

    [Fact]
    public void Refresh_WithAView_HasItsFieldsAndTheStamps()
    {
        using ProviderConversation talk = new(Offering, new StampedRefresh());
        Ask(talk, 6, "A", Three);
        talk.UntilAnswers(1);
        Assert.Equal([.. Three.FieldIds, .. StampFields.Ids], Fields(talk.Last(MsgClass.Refresh)).Order());
    }

    [Fact]
    public void Reissue_AnotherViewTheSameAndNone_ChangesKeepsAndRemovesIt()
    {
        using ProviderConversation talk = new(Offering);
        Ask(talk, 6, "A", Three);
        talk.UntilAnswers(1);
        FieldView one = new(Three.FieldIds[0]);
        Ask(talk, 6, "A", one);
        talk.UntilAnswers(2);
        Assert.Equal([Three.FieldIds[0]], Fields(talk.Last(MsgClass.Refresh)));

        RwfMsg same = ProviderConversation.Request(6, "A", RequestFlags.Streaming | RequestFlags.HasView);
        same.ContainerType = DataType.ElementList;
        same.Payload = Wire.Elements((ref RwfWriter writer) => writer.WriteUIntElement(":ViewType"u8, 1));
        talk.Say(Wire.Encode(same));
        talk.UntilAnswers(3);
        Assert.Equal([Three.FieldIds[0]], Fields(talk.Last(MsgClass.Refresh)));

        talk.Ask(6, "A");
        talk.UntilAnswers(4);
        Assert.Equal(SessionSamples.Messages.Refresh.FieldCount, Fields(talk.Last(MsgClass.Refresh)).Count);
        Assert.Equal(0, talk.Provider.Items.Views.Count);
    }

    [Fact]
    public void Batch_WithAView_GivesItToEachItem()
    {
        using ProviderConversation talk = new(Offering);
        byte[] room = new byte[BatchRequest.MaxBytes(nameBytes: 2, count: 2, Three)];
        RwfWriter writer = new(room);
        BatchRequest.Begin(ref writer, 30, Service, isStreaming: true, view: Three);
        writer.WriteItem("A"u8);
        writer.WriteItem("B"u8);
        talk.Say(room[..BatchRequest.End(ref writer)]);
        talk.UntilAnswers(3);
        Assert.Equal(Three.FieldIds.ToArray(), Fields(talk.Last(MsgClass.Refresh)).Order());
        Assert.Equal((1, 2), (talk.Provider.Items.Views.Count, talk.Provider.OpenItems));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Updates_OfViewsAndAll_EachHasItsFields(bool isPreEncoded)
    {
        UpdateLog log = new();
        ViewLoad load = new(isPreEncoded);
        FieldView other = new(22);
        using SessionPair pair = new(new ProviderSession(Offering, load), log, SessionPair.Items(3));
        pair.Until(() => log.Refreshes == 3);
        Assert.True(log.Session.TryChangeView(0, Three) && log.Session.TryChangeView(1, other));
        pair.Until(() => log.Refreshes == 5);
        load.IsOn = true;
        pair.Until(() => log.Updates.Count >= 30);

        string[] seen = [.. log.Updates.Select(update => $"{update.Item}: {string.Join(' ', update.Fields)}").Distinct().Order()];
        Assert.Equal(["0: 22 25 3902", "0: 6 3902", "1: 22 3902", "1: 3902"], seen[..4]);
        Assert.Equal([24, 24], log.Updates.Where(update => update.Item == 2).Select(update => update.Fields.Count).Take(2));
    }

    [Fact]
    public void Update_ByTheHandler_HasTheFieldsOfTheView()
    {
        UpdateLog log = new();
        ProviderLog provider = new();
        using SessionPair pair = new(new ProviderSession(Offering, provider), log, SessionPair.Items(1) with { View = Three });
        pair.Until(() => log.Refreshes == 1);
        Assert.True(provider.Session.TrySendUpdate(0, SessionSamples.Messages.Updates[0], stamp: 7));
        pair.Until(() => log.Updates.Count == 1);
        Assert.Equal([22, 25, StampFields.Update], log.Updates[0].Fields);
    }

    [Fact]
    public void Consumer_ProviderWithoutViews_AsksForAllFields()
    {
        UpdateLog log = new();
        using SessionPair pair = new(new ProviderLog(), log, SessionPair.Items(1) with { View = Three });
        pair.Until(() => log.Refreshes == 1);
        Assert.False(log.Session.TryChangeView(0, Three));
    }

    // A peer that requests ever different fields cannot make us keep all of them.
    [Fact]
    public void Views_MoreThanAreKept_GetAllFields()
    {
        ItemViews views = new();
        for (int slot = 0; slot < 1_000; slot++)
            views.Set(slot, new FieldView((short)slot));
        Assert.Equal(256, views.Count);
        Assert.Null(views.Of(999));
        Assert.Equal(new FieldView(255), views.Of(255));
        for (int slot = 0; slot < 1_000; slot++)
            views.Set(slot, null);
        Assert.Equal((0, 257), (views.Count, views.NumberLimit));
        views.Set(5, new FieldView(Enumerable.Range(0, 30_000).Select(id => (short)id)));
        Assert.Equal(30_000, views.Of(5)!.Count);
    }

    [Fact]
    public void Views_OfEqualFields_AreOne()
    {
        ItemViews views = new();
        views.Set(3, new FieldView(1, 2));
        views.Set(4, new FieldView(2, 1));
        Assert.Equal((1, views.NumberOf(3)), (views.Count, views.NumberOf(4)));
        views.Set(3, null);
        Assert.Equal(new FieldView(1, 2), views.Of(4));
        views.Set(4, new FieldView(7));
        Assert.Equal((1, new FieldView(7)), (views.Count, views.Of(4)));
    }

    private static void Ask(ProviderConversation talk, int streamId, string name, FieldView view) => talk.Say(Wire.Encode(room =>
        MarketPriceConsumer.EncodeRequest(
            room, streamId, Service, System.Text.Encoding.ASCII.GetBytes(name), isStreaming: true, view: view)));

    private static List<short> Fields(scoped in RwfMsg msg) => UpdateLog.FieldsOf(msg.Payload);

    private sealed class UpdateLog : ConsumerHandler
    {
        public int Refreshes { get; private set; }

        public List<(int Item, List<short> Fields)> Updates { get; } = [];

        public static List<short> FieldsOf(ReadOnlySpan<byte> list)
        {
            List<short> fields = [];
            FieldListReader.TryOpen(list, out FieldListReader reader);
            while (reader.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
                fields.Add(entry.FieldId);
            return fields;
        }

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => Refreshes++;

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update) => Updates.Add((item, FieldsOf(update.Payload)));
    }

    private sealed class StampedRefresh : ProviderHandler
    {
        private readonly FieldListTemplate _refresh = SessionSamples.Messages.Refresh.AppendBlanks(StampFields.Blanks);

        protected internal override int MaxRefreshBytes => _refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => _refresh.EncodeList(ref writer);
    }

    // Every update has a stamp.
    private sealed class ViewLoad(bool isPreEncoded) : ProviderHandler
    {
        private Burst? _updates;

        public bool IsOn { get; set; }

        protected internal override bool WantsTicks => IsOn;

        protected internal override bool IsBlocked => _updates!.IsBlocked;

        protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
            SessionSamples.Messages.Refresh.EncodeList(ref writer);

        protected internal override void OnOpened() => _updates = new UpdateSource(SessionSamples.Messages, isPreEncoded).CreateBurst(
            SessionSamples.Updates(rate: 10_000, StampCells.All, tickRate: 1_000), Session.Recording, Session.Output,
                Session.Items.Rotation, Session.Items.Views);

        protected internal override bool OnTick(in TickInfo tick) => _updates!.Begin(tick, Session.Number);

        protected internal override void OnContinue()
        {
            if (_updates!.Left > 0)
                _updates.Send();
        }
    }
}
