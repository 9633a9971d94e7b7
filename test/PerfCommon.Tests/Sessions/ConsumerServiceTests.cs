using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Changes of a consumer's service and its items during a run: down and up, states of groups and of all, a reissue.</summary>
public sealed class ConsumerServiceTests
{
    private const int Items = 20;

    private readonly ConsumerLog _log = new();
    private readonly ProviderLog _provider = new();

    [Fact]
    public void Service_GoesDownAndComesUp_PausesRequests()
    {
        TimeSource time = TimeSource.StartAt(Clock.NanosPerSecond);
        using SessionPair pair = new(new ProviderSession(SessionSamples.Provider, _provider), _log,
            SessionPair.Items(Items) with { RequestRate = 1_000 }, time);
        CounterSet counters = pair.Client.Recording.Counters;
        Pass(pair, time, until: () => counters[Counter.RequestsSent] == 5);

        Say(DirectoryMessages.Service(isUp: false));
        Pass(pair, time, until: () => !pair.Consumer.Directory.IsReady);
        long before = counters[Counter.RequestsSent];
        Pass(pair, time, millis: 30);
        Assert.Equal(before, counters[Counter.RequestsSent]);
        Assert.InRange(before, 5, Items - 5);

        Say(DirectoryMessages.Service(isUp: true));
        Pass(pair, time, until: () => _log.Lines.Count(line => line.StartsWith("refresh", StringComparison.Ordinal)) == Items);
        Assert.Equal((Items, 1), (counters[Counter.RequestsSent], counters[Counter.ServiceLosses]));
        List<string> notices = SessionPair.Notices(pair.Client);
        Assert.Single(notices, "Service 'DIRECT_FEED' went down: the provider does not say that it is up. Waiting for it to be up...");
        Assert.Single(notices, "Service 'DIRECT_FEED' is up again.");
        Assert.Null(pair.Consumer.Failure);
    }

    [Fact]
    public void IsServiceUp_ServiceDownAndUp_FollowsIt()
    {
        using SessionPair pair = Start();
        Assert.True(pair.Consumer.IsServiceUp);
        Say(DirectoryMessages.Service(isUp: false));
        pair.Until(() => !pair.Consumer.IsServiceUp);
        Say(DirectoryMessages.Service(isUp: true));
        pair.Until(() => pair.Consumer.IsServiceUp);
    }

    [Fact]
    public void Service_SaysItIsDownTwice_IsCountedOnce()
    {
        using SessionPair pair = Start();
        Say(DirectoryMessages.Service(isUp: false));
        Say(DirectoryMessages.Service(isUp: false));
        Say(DirectoryMessages.Items(StreamState.Open, DataState.Suspect));
        pair.Until(() => _log.Lines.Count == 4 + 3);

        Assert.Equal(1, pair.Client.Recording.Counters[Counter.ServiceLosses]);
    }

    [Fact]
    public void OnItemState_StatusOfTheService_IsToldOfEveryItem()
    {
        using SessionPair pair = Start();
        Say(DirectoryMessages.Items(StreamState.Open, DataState.Suspect));
        pair.Until(() => _log.Lines.Count >= 7);

        Assert.Equal(["state 0 Open Suspect", "state 1 Open Suspect", "state 2 Open Suspect"], _log.Lines.Skip(4));
    }

    [Fact]
    public void OnItemState_GroupOfOneItem_IsToldOfThatAlone()
    {
        using SessionPair pair = Start();
        Say(GroupOf(item: 1, [7]));
        Say(DirectoryMessages.Group([7], StreamState.Open, DataState.Suspect));
        Say(DirectoryMessages.Group([8], StreamState.Closed, DataState.Suspect)); // no item's group
        Say(DirectoryMessages.Group([0, 0], StreamState.Open, DataState.Ok));
        pair.Until(() => _log.Lines.Count >= 8);

        Assert.Equal(["status 1", "state 1 Open Suspect", "state 0 Open Ok", "state 2 Open Ok"],
            _log.Lines.Skip(4).Select(line => line.Replace(" Unspecified None ", "", StringComparison.Ordinal)));
    }

    [Fact]
    public void OnItemState_GroupMerged_ReachesItsItemsByTheOther()
    {
        using SessionPair pair = Start();
        Say(GroupOf(item: 2, [7]));
        Say(DirectoryMessages.Merge([7], into: [9, 9]));
        Say(DirectoryMessages.Group([7], StreamState.Open, DataState.Suspect));
        Say(DirectoryMessages.Group([9, 9], StreamState.Open, DataState.Ok));
        pair.Until(() => _log.Lines.Count >= 6);

        Assert.Equal("state 2 Open Ok", _log.Lines[^1]);
        Assert.Equal(6, _log.Lines.Count);
    }

    [Fact]
    public void TryReissue_WithAndWithoutRefresh_BringsOneOrNone()
    {
        using SessionPair pair = Start();
        Assert.True(pair.Consumer.TryReissue(2));
        pair.Until(() => _log.Lines.Count == 5);
        Assert.Equal("refresh 2 RDT3 Success", _log.Lines[^1]);

        Assert.True(pair.Consumer.TryReissue(1, wantsRefresh: false));
        Assert.True(pair.Consumer.TryReissue(0));
        pair.Until(() => _log.Lines.Count == 6);
        Assert.Equal("refresh 0 RDT1 Success", _log.Lines[^1]);
        Assert.Equal((6, 6),
            (pair.Client.Recording.Counters[Counter.RequestsSent], pair.Server.Recording.Counters[Counter.RequestsReceived]));
        Assert.Equal(5, pair.Server.Recording.Counters[Counter.RefreshesSent]);
        Assert.False(pair.Consumer.TryReissue(3)); // no such item
    }

    [Fact]
    public void TryReissue_ServiceDown_SendsNothing()
    {
        using SessionPair pair = Start();
        Say(DirectoryMessages.Service(isUp: false));
        pair.Until(() => !pair.Consumer.Directory.IsReady);

        Assert.False(pair.Consumer.TryReissue(0));
    }

    private SessionPair Start()
    {
        SessionPair pair = new(_provider, _log);
        pair.Until(() => _log.Lines.Count == 4);
        return pair;
    }

    private void Say(byte[] message)
    {
        Assert.True(_provider.Session.Output.TrySend(message, MessageKind.Other));
        _provider.Session.Channel.Flush();
    }

    private static byte[] GroupOf(int item, byte[] group) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = StreamIds.FirstItem + item,
        Flags = StatusFlags.HasGroupId,
        GroupId = group,
    });

    private static void Pass(SessionPair pair, TimeSource time, Func<bool>? until = null, int millis = 200)
    {
        for (int passed = 0; passed < millis && until?.Invoke() != true; passed++)
        {
            for (int turn = 0; turn < 4; turn++)
            {
                pair.Server.Turn();
                pair.Client.Turn();
            }

            time.Advance(Clock.NanosPerMilli);
        }

        Assert.NotEqual(false, until?.Invoke());
    }
}
