using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Tests.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using Xunit;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>A connected source that withdraws a service: its items are lost, and another source that has the service takes them over.</summary>
[Trait("Category", "Fast")]
public sealed class WithdrawnServiceTests : IDisposable
{
    private const int FirstPort = 201, SecondPort = 202;
    private const ushort FirstId = 7, SecondId = 70;

    private readonly MemoryHub _hub = new();
    private readonly ScriptedProvider _first = new(("FEED", FirstId), ("OTHER", FirstId + 1)), _second = new(("FEED", SecondId));
    private readonly TalkingPeer _peer;

    public WithdrawnServiceTests()
    {
        _hub.AddProvider(FirstPort, () => _first);
        _hub.Until(() => _hub.Read(HubGauge.Sources) == 1);
        _peer = _hub.Talk();
        Ask(20, "A", FirstId);
        Ask(21, "B", FirstId + 1);
        _hub.Until(() => _first.Received.Count == 2);
        Assert.Equal(["Request 6 A@7", "Request 7 B@8"], _first.Received);
        _first.SayImage(6, 1);
        _first.SayImage(7, 2);
        _hub.Until(() => _peer.Answers.Count == 2);
        _peer.Messages.Clear();
        _first.Received.Clear();
    }

    public void Dispose() => _hub.Dispose();

    [Fact]
    public void Withdraw_WhileAnotherSourceStandsBy_MovesTheItemsThere()
    {
        AddSecond();
        _first.SayWithdrawn(FirstId);
        _hub.Until(() => _second.Received.Count == 1);
        _hub.Until(() => _first.Received.Count == 1);
        Assert.Equal(["Request 6 A@70"], _second.Received);
        Assert.Equal(["Close 6"], _first.Received);
        Assert.Equal("Open/Suspect", Assert.Single(States(20)));
        Assert.Contains(_hub.TakeNotices(), notice => notice.StartsWith("Service FEED and 1 items of it are those of ", StringComparison.Ordinal));
        Assert.True(_hub.Services.Find("FEED")!.Offer.IsUp);

        _first.SayUpdate(6, 9); // of the stream that is closed
        _second.SayImage(6, 3);
        _second.SayUpdate(6, 4);
        _hub.Until(() => _peer.Updates == 1);
        Assert.Equal(["Open/Suspect", "Open/Ok"], States(20));
        Assert.Equal(3, HostileMessages.Read(_peer.Last(MsgClass.Refresh).Payload)[22][0]);
        Assert.Equal((1L, 1L), (_hub.Count(Counter.UpdatesSent), _hub.Count(HubCounter.UpdatesUnwatched)));
        Assert.Empty(States(21)); // the other service of the first source

        Ask(22, "C", FirstId);
        _hub.Until(() => _second.Received.Count == 2);
        Assert.Equal("Request 7 C@70", _second.Received[1]);
        _first.SayServices(("FEED", FirstId)); // back: it stands by now
        _hub.Turns(20);
        Assert.Equal(["Close 6"], _first.Received);
        _second.SayWithdrawn(SecondId);
        _hub.Until(() => _first.Received.Count == 3);
        Assert.Equal(["Close 6", "Request 8 A@7", "Request 9 C@7"], _first.Received);
    }

    [Fact]
    public void Withdraw_WithoutAnotherSource_LeavesTheItemsSuspectUntilItIsBack()
    {
        for (int round = 0; round < 3; round++)
        {
            _peer.Messages.Clear();
            _first.SayWithdrawn(FirstId);
            _hub.Until(() => States(20).Count == 1 && _first.Received.Count == 1);
            Assert.Equal(["Open/Suspect"], States(20));
            Assert.Equal(["Close " + (round == 0 ? 6 : 7 + round)], _first.Received);
            Assert.False(_hub.Services.Find("FEED")!.Offer.IsUp);
            Ask(30 + round, "A", FirstId); // answered from the cache, and requested nowhere
            _hub.Until(() => States(30 + round).Count == 1);
            Assert.Equal("Open/Suspect", States(30 + round)[0]);
            _hub.Turns(20);
            Assert.Single(_first.Received);

            _first.SayServices(("FEED", FirstId));
            _hub.Until(() => _first.Received.Count == 2);
            Assert.Equal($"Request {8 + round} A@7", _first.Received[1]);
            _first.SayImage(8 + round, 5);
            _hub.Until(() => States(20).Count == 2);
            Assert.Equal("Open/Ok", States(20)[1]);
            Assert.True(_hub.Services.Find("FEED")!.Offer.IsUp);
            _first.Received.Clear();
        }

        Assert.Empty(States(21));
    }

    /// <summary>A source that withdraws what it stands by for takes nothing over.</summary>
    [Fact]
    public void Withdraw_OfTheSourceThatStandsBy_EndsItsStandby()
    {
        AddSecond();
        _second.SayWithdrawn(SecondId);
        _hub.Turns(20);
        WithdrawWithoutStandby();
        _second.SayServices(("FEED", SecondId));
        _hub.Until(() => _second.Received.Count == 1);
        Assert.Equal("Request 6 A@70", _second.Received[0]);
    }

    /// <summary>A source that closes the stream of its directory has none of its services any more, until it lists them again.</summary>
    [Theory]
    [InlineData(StreamState.Closed)]
    [InlineData(StreamState.ClosedRecover)]
    public void Directory_WhoseStreamTheSourceCloses_WithdrawsAllOfItsServices(StreamState state)
    {
        _first.Say(Wire.Encode(Wire.Status(DomainType.Source, StreamIds.Directory, state, DataState.Suspect)));
        _hub.Until(() => States(20).Count == 1 && States(21).Count == 1 && _first.Received.Count == 2);
        Assert.Equal(["Open/Suspect", "Open/Suspect"], [.. States(20), .. States(21)]);
        Assert.Equal(["Close 6", "Close 7"], _first.Received.Order());
        Assert.Equal((false, false), (_hub.Services.Find("FEED")!.Offer.IsUp, _hub.Services.Find("OTHER")!.Offer.IsUp));

        _first.SayServices(("OTHER", FirstId + 1));
        _hub.Until(() => _first.Received.Count == 3);
        Assert.Equal("Request 8 B@8", _first.Received[2]);
        _first.SayImage(8, 5);
        _hub.Until(() => States(21).Count == 2);
        Assert.Equal(("Open/Ok", 1), (States(21)[1], States(20).Count));
    }

    /// <summary>A service that comes under another id in the same message stays with its source, and its items with their streams.</summary>
    [Fact]
    public void Service_ThatGetsAnotherId_StaysWithItsSource()
    {
        AddSecond();
        byte[] whole = HostileMessages.Directory([new ServiceOffer { Name = "FEED", Id = 17 }, new ServiceOffer { Name = "OTHER", Id = FirstId + 1 }],
            isWhole: true);
        _first.Say(ScriptedProvider.OnStream(StreamIds.Directory, whole));
        _hub.Turns(20);
        Assert.Equal((0, 0, 0), (_first.Received.Count, _second.Received.Count, _peer.Messages.Count));
        Ask(22, "C", FirstId);
        _hub.Until(() => _first.Received.Count == 1);
        Assert.Equal("Request 8 C@17", _first.Received[0]);
        _first.SayUpdate(6, 9);
        _hub.Until(() => _peer.Updates == 1);
    }

    /// <summary>Another service under the id of the one before: that one is gone.</summary>
    [Fact]
    public void Id_ThatGetsAnotherName_WithdrawsTheServiceBefore()
    {
        _first.SayServices(("NEW", FirstId));
        _hub.Until(() => States(20).Count == 1 && _first.Received.Count == 1);
        Assert.Equal(("Open/Suspect", "Close 6"), (States(20)[0], _first.Received[0]));
        Assert.Equal((false, true, true), (_hub.Services.Find("FEED")!.Offer.IsUp, _hub.Services.Find("NEW")!.Offer.IsUp,
            _hub.Services.Find("OTHER")!.Offer.IsUp));
        _hub.KillProvider(FirstPort);
        _hub.Until(() => !_hub.Services.List().Offers.Any(offer => offer.IsUp));
    }

    /// <summary>A source that stands by under an id has the service no longer once the id has another name.</summary>
    [Fact]
    public void Id_ThatGetsAnotherNameAtTheStandby_EndsItsStandby()
    {
        AddSecond();
        _second.SayServices(("NEW", SecondId));
        _hub.Turns(20);
        WithdrawWithoutStandby();
    }

    /// <summary>A source that stands by while its service is down takes the items over once the service is up.</summary>
    [Fact]
    public void Standby_WhoseServiceComesUpLate_TakesTheItemsOver()
    {
        AddSecond();
        SayState(isUp: false);
        _hub.Turns(20);
        _first.SayWithdrawn(FirstId);
        _hub.Until(() => States(20).Count == 1);
        _hub.Turns(20);
        Assert.Empty(_second.Received);
        SayState(isUp: true);
        _hub.Until(() => _second.Received.Count == 1);
        Assert.Equal("Request 6 A@70", _second.Received[0]);
        Assert.True(_hub.Services.Find("FEED")!.Offer.IsUp);

        void SayState(bool isUp) => _second.Say(ScriptedProvider.OnStream(StreamIds.Directory,
            HostileMessages.Directory([new ServiceOffer { Name = "FEED", Id = SecondId, IsUp = isUp }], isWhole: false)));
    }

    /// <summary>An item that passes is requested with an image again, also where its consumer did not want one the last time.</summary>
    [Fact]
    public void Item_ThatPasses_IsRequestedWithAnImageWhenItsServiceIsBack()
    {
        RwfMsg request = TalkingPeer.Request(22, FirstId, "P");
        request.DomainType = DomainType.MarketByPrice;
        _peer.Say(Wire.Encode(request));
        _hub.Until(() => _first.Received.Count == 1);
        request.Flags |= RequestFlags.NoRefresh;
        byte[] image = ScriptedProvider.OnStream(8, SourceBench.Image(HostileMessages.List(22, 1)));
        image[3] = (byte)DomainType.MarketByPrice;
        _first.Say(image);
        _hub.Until(() => States(22).Count == 1);
        _peer.Say(Wire.Encode(request));
        _hub.Until(() => _first.Received.Count == 2);
        Assert.True(Wire.Decode(_first.Messages[^1]).Has(RequestFlags.NoRefresh));

        _first.SayWithdrawn(FirstId);
        _hub.Until(() => States(22).Count == 2);
        _first.SayServices(("FEED", FirstId));
        _hub.Until(() => _first.Received.Count == 6); // with a close and a request for each item of the service
        RwfMsg again = Wire.Decode(_first.Messages.Last(message => Wire.Decode(message) is { DomainType: DomainType.MarketByPrice }));
        Assert.Equal((MsgClass.Request, RequestFlags.Streaming, "P"),
            (again.MsgClass, again.Flags, System.Text.Encoding.ASCII.GetString(again.Key.Name)));
    }

    private void AddSecond()
    {
        _hub.AddProvider(SecondPort, () => _second);
        _hub.Until(() => _hub.Read(HubGauge.Sources) == 2);
        _hub.Turns(5);
        Assert.Contains(_hub.TakeNotices(), notice => notice.EndsWith("is offered by another source; it stands by.", StringComparison.Ordinal));
    }

    // The first source has the service no longer, and the second takes nothing over.
    private void WithdrawWithoutStandby()
    {
        _first.SayWithdrawn(FirstId);
        _hub.Until(() => States(20).Count == 1);
        _hub.Turns(20);
        Assert.Empty(_second.Received);
        Assert.False(_hub.Services.Find("FEED")!.Offer.IsUp);
    }

    private void Ask(int streamId, string name, ushort serviceId) => _peer.Say(Wire.Encode(TalkingPeer.Request(streamId, serviceId, name)));

    // The states that a stream was sent, in order.
    private List<string> States(int streamId)
    {
        List<string> states = [];
        foreach (byte[] bytes in _peer.Messages)
        {
            RwfMsg message = Wire.Decode(bytes);
            if (message.StreamId == streamId && message.MsgClass is MsgClass.Status or MsgClass.Refresh)
                states.Add($"{message.State.StreamState}/{message.State.DataState}");
        }

        return states;
    }
}
