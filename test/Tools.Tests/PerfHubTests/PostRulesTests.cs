using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Posts to an item without a source: its state, its fields, and the consumers that are notified.</summary>
[Trait("Category", "Fast")]
public sealed class PostRulesTests : IDisposable
{
    private const ushort ServiceId = 5;
    private static readonly byte[] Fields = HostileMessages.List(2, 1, value: 9);

    private readonly MemoryHub _hub = new(new HubPerfOptions { Services = [new OwnService("POSTED", ServiceId)] });
    private readonly TalkingPeer _peer;

    public PostRulesTests()
    {
        _peer = Watch();
        Post(DataType.FieldList, HostileMessages.List(1, 1));
    }

    public void Dispose() => _hub.Dispose();

    [Theory]
    [InlineData(DataState.Ok, DataState.Ok)]
    [InlineData(DataState.Suspect, DataState.Suspect)]
    [InlineData(DataState.NoChange, DataState.Ok)]
    public void Status_Posted_IsTheStateForWhoComesLater(DataState posted, DataState later)
    {
        Post(DataType.Msg, Wire.Encode(Wire.Status(DomainType.MarketPrice, 6, StreamState.Open, posted)));
        Assert.Equal(later, Watch().Last(MsgClass.Refresh).State.DataState);
        Assert.Equal(2, _hub.Count(Counter.PostsReflected));
    }

    [Theory]
    [InlineData(DataType.FieldList, true)]
    [InlineData(DataType.ElementList, false)]
    [InlineData(DataType.Map, false)]
    public void Content_Posted_IsKeptWhereItIsOfTheImage(DataType type, bool isKept)
    {
        Post(type, Fields);
        Assert.Equal(isKept ? [1, 2] : [1], HostileMessages.Read(Watch().Last(MsgClass.Refresh).Payload).Keys.Order());
        Assert.Equal((2, 2L), (_peer.Updates, _hub.Count(Counter.PostsReflected)));
    }

    [Theory]
    [InlineData(RefreshFlags.ClearCache, false)]
    [InlineData(0, true)]
    public void Image_Posted_ReplacesOrMerges(int flags, bool keepsOld)
    {
        Post(DataType.Msg, Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = RefreshFlags.RefreshComplete | flags,
            ContainerType = DataType.FieldList,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
            Payload = Fields,
        }));
        Assert.Equal(keepsOld ? [1, 2] : [2], HostileMessages.Read(Watch().Last(MsgClass.Refresh).Payload).Keys.Order());
    }

    [Fact]
    public void Posts_OfSeveralWatchers_AreCopiedToEach()
    {
        TalkingPeer second = Watch(), third = Watch();
        Post(DataType.FieldList, Fields);
        Assert.Equal((2, 1, 1), (_peer.Updates, second.Updates, third.Updates));
        Assert.Equal((2L, 4L, 2L, 0L), (_hub.Count(Counter.PostsReceived), _hub.Count(Counter.PostsReflected), _hub.Count(HubCounter.PostsCopied),
            _hub.Count(Counter.PostsRefused)));
    }

    private TalkingPeer Watch()
    {
        TalkingPeer peer = _hub.Talk();
        peer.Say(Wire.Encode(TalkingPeer.Request(6, ServiceId, "A")));
        _hub.Until(() => peer.Answers.Count == 1);
        return peer;
    }

    private void Post(DataType type, byte[] payload)
    {
        long before = _hub.Count(Counter.PostsReceived);
        _peer.Say(Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Post,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = PostFlags.PostComplete,
            ContainerType = type,
            Payload = payload,
        }));
        _hub.Until(() => _hub.Count(Counter.PostsReceived) == before + 1);
        _hub.Turns(4);
    }
}
