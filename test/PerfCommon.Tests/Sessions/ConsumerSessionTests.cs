using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A consumer's session against a provider's, or against one that breaks the rules.</summary>
public class ConsumerSessionTests
{
    private readonly ConsumerLog _log = new();

    [Fact]
    public void StartUp_ProviderOfOurs_TellsReadyThenEveryRefresh()
    {
        using SessionPair pair = new(new ProviderLog(), _log);
        pair.Until(() => _log.Lines.Count == 4);

        Assert.Equal(["ready", "refresh 0 RDT1 Success", "refresh 1 RDT2 Success", "refresh 2 RDT3 Success"], _log.Lines);
        Assert.Equal((ConsumerStage.Items, null), (pair.Consumer.Stage, pair.Consumer.Failure));
        Assert.Equal((3, 3), (pair.Client.Recording.Counters[Counter.RequestsSent], pair.Server.Recording.Counters[Counter.RefreshesSent]));
    }

    [Fact]
    public void StartUp_WithoutDictionary_DownloadsIt()
    {
        using SessionPair pair = new(new ProviderLog(), _log, SessionPair.Items(1) with { Dictionary = null });
        pair.Until(() => _log.Lines.Count == 2);

        Assert.NotSame(SessionSamples.Dictionary, pair.Consumer.Dictionary);
        Assert.Equal(SessionSamples.Dictionary.Definitions.Count, pair.Consumer.Dictionary!.Definitions.Count);
        Assert.Contains("No dictionary files: downloading from the provider.", SessionPair.Notices(pair.Client));
    }

    [Theory]
    [InlineData(DictionaryContents.Fields, "No file of field definitions: downloading from the provider.")]
    [InlineData(DictionaryContents.Enums, "No file of enum tables: downloading from the provider.")]
    public void StartUp_HalfADictionary_DownloadsTheOtherHalf(object missing, string notice)
    {
        using SessionPair pair = new(new ProviderLog(), _log, LackingOne((DictionaryContents)missing));

        pair.Until(() => _log.Lines.Count > 0);
        Assert.Equal(SessionSamples.Dictionary.Definitions.Count, pair.Consumer.Dictionary.Definitions.Count);
        Assert.Equal(SessionSamples.Dictionary.EnumTables.Count, pair.Consumer.Dictionary.EnumTables.Count);
        Assert.Contains(notice, SessionPair.Notices(pair.Client));
    }

    [Fact]
    public void StartUp_EnumTablesRefused_GoesOnWithoutThem()
    {
        ConsumerSessionOptions options = LackingOne(DictionaryContents.Enums);
        using SessionPair pair = new(new PeerWithoutDictionary(), _log, options);

        pair.Until(() => _log.Lines.Count > 0);
        Assert.Same(options.Dictionary, pair.Consumer.Dictionary);
        Assert.Contains(SessionPair.Notices(pair.Client),
            notice => notice.EndsWith("; going on without enum tables.", StringComparison.Ordinal));
    }

    [Fact]
    public void StartUp_DictionaryRefused_UsesTheFallback()
    {
        using SessionPair pair = new(new PeerWithoutDictionary(), _log, SessionPair.Items(1) with { Dictionary = null });
        pair.Until(() => _log.Lines.Count > 0);

        Assert.Equal("ready", _log.Lines[0]);
        Assert.Same(SessionSamples.Dictionary, pair.Consumer.Dictionary);
        Assert.Contains(SessionPair.Notices(pair.Client),
            notice => notice.EndsWith("using the program's own dictionary, fields it lacks are skipped.", StringComparison.Ordinal));
    }

    [Fact]
    public void StartUp_DictionaryNeverComes_UsesTheFallbackAfterFiveSeconds()
    {
        TimeSource time = TimeSource.StartAt(Clock.NanosPerSecond);
        using SessionPair pair = new(new PeerWithoutDictionary(refuses: false), _log, SessionPair.Items(1) with { Dictionary = null },
            time);
        pair.Until(() => pair.Consumer.Stage == ConsumerStage.Dictionary);

        time.Advance((5 * Clock.NanosPerSecond) - 1);
        pair.Client.Turn();
        Assert.Equal(ConsumerStage.Dictionary, pair.Consumer.Stage);
        time.Advance(1);
        pair.Client.Turn();
        Assert.Same(SessionSamples.Dictionary, pair.Consumer.Dictionary);
    }

    [Fact]
    public void Items_ProviderHoldsRequestsBack_AreAllAnsweredByPings()
    {
        const int Items = 2_000;
        HoldingPeer provider = new();
        using SessionPair pair = new(provider, _log, SessionPair.Items(Items));
        pair.Until(() => _log.Lines.Count(line => line.StartsWith("refresh", StringComparison.Ordinal)) == Items);

        pair.Until(() => provider.Updates >= 20); // updates arrive meanwhile, and no ping is needed any more
        long pings = provider.Channel.PingsRead;
        Assert.InRange(pings, 1, 20);
        int updates = provider.Updates;
        pair.Until(() => provider.Updates >= updates + 20);
        Assert.Equal(pings, provider.Channel.PingsRead);
    }

    [Fact]
    public void OnUpdate_StampsAll_ComeToTheirItems()
    {
        using SessionPair pair = new(new SampleLoad(SessionSamples.Updates(rate: 10_000, StampCells.All)), _log);
        long before = Clock.NowMicros;
        pair.Until(() => _log.Lines.Count >= 100);

        string[] updates = [.. _log.Lines.Where(line => line.StartsWith("update", StringComparison.Ordinal))];
        Assert.Equal(["0", "1", "2"], updates.Select(line => line.Split(' ')[1]).Distinct().Order());
        Assert.All(updates, line => Assert.InRange(long.Parse(line.Split(' ')[3], null), before, Clock.NowMicros));
    }

    [Fact]
    public void OnAck_PostsOnAndOffStream_TellTheItem()
    {
        ProviderLog provider = new();
        using SessionPair pair = new(provider, _log);
        pair.Until(() => _log.Lines.Count == 4);
        _log.Lines.Clear();
        Assert.True(_log.Send(Post(StreamIds.FirstItem + 2, DomainType.MarketPrice, postId: 7)));
        Assert.True(_log.Send(Post(StreamIds.Login, DomainType.Login, postId: 8)));
        pair.Until(() => _log.Lines.Count == 2);

        Assert.Equal(["ack 2 7", "ack -1 8"], _log.Lines);
        Assert.Equal(["post 2 7", "post -1 8"], provider.Lines.TakeLast(2));
        Assert.Equal(2, pair.Server.Recording.Counters[Counter.PostsReceived]);
    }

    [Fact]
    public void OnGeneric_SentBothWays_TellsTheItem()
    {
        ProviderLog provider = new();
        using SessionPair pair = new(provider, _log);
        pair.Until(() => _log.Lines.Count == 4);
        Assert.True(_log.Send(Generic(StreamIds.FirstItem + 1, number: 5)));
        pair.Until(() => _log.Lines.Count == 5);

        Assert.Equal("generic 1 5", _log.Lines[^1]);
        Assert.Equal("generic 1 5", provider.Lines[^1]);
    }

    [Fact]
    public void OnStatus_RequestRefused_TellsTheReason()
    {
        using SessionPair pair = new(new ProviderLog { Refused = "RDT2" }, _log);
        pair.Until(() => _log.Lines.Count == 4);

        Assert.Contains("status 1 Closed UsageError Item request rejected for stream id 7 - QoS not supported", _log.Lines);
        Assert.Equal(2, _log.Lines.Count(line => line.StartsWith("refresh", StringComparison.Ordinal)));
        Assert.Equal(1, pair.Server.Recording.Counters[Counter.RequestsRejected]);
        Assert.Null(pair.Consumer.Failure); // the handler interprets a status
    }

    [Fact]
    public void Handle_StreamThatNobodyAskedFor_IsDropped()
    {
        ProviderLog provider = new();
        using SessionPair pair = new(provider, _log);
        pair.Until(() => _log.Lines.Count == 4);
        provider.Session.Output.TrySend(Generic(StreamIds.FirstItem + 3, number: 1), MessageKind.Other);
        pair.Until(() => pair.Client.Recording.Counters[Counter.MessagesDropped] == 1);

        Assert.Equal(4, _log.Lines.Count);
    }

    [Fact]
    public void RequestEnd_OfTheConsumer_DrainsBothSides()
    {
        ProviderLog provider = new();
        using SessionPair pair = new(provider, _log);
        pair.Until(() => _log.Lines.Count == 4);
        pair.Client.RequestEnd();
        pair.Until(() => pair.Client.HasEnded && provider.Closed is not null);

        Assert.Equal("finishing", _log.Lines[^1]);
        Assert.Equal((CloseKind.PeerClosed, CloseKind.PeerClosed), (_log.Closed!.Kind, provider.Closed!.Kind));
        Assert.True(pair.Consumer.WasDrained && pair.Consumer.Failure is null);
        Assert.False(pair.Client.Recording.AnyBroken || pair.Server.Recording.AnyBroken);
    }

    [Fact]
    public void RequestEnd_OfTheProvider_IsALostConnectionToTheConsumer()
    {
        using SessionPair pair = new(new ProviderLog(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        pair.Server.RequestEnd();
        pair.Until(() => pair.Server.HasEnded && _log.Closed is not null);

        Assert.Equal((ConsumerFailureKind.ConnectionLost, true), (pair.Consumer.Failure!.Kind, pair.Consumer.Failure.IsBroken));
        Assert.StartsWith("connection lost: ", pair.Consumer.Failure.Text, StringComparison.Ordinal);
    }

    private static byte[] Post(int streamId, DomainType domain, uint postId) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Post,
        DomainType = domain,
        StreamId = streamId,
        Flags = PostFlags.HasPostId | PostFlags.PostComplete | PostFlags.Ack,
        PostId = postId,
    });

    private static byte[] Generic(int streamId, uint number) => Wire.Encode(new RwfMsg
    {
        MsgClass = MsgClass.Generic,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = GenericFlags.HasSeqNum,
        SeqNum = number,
    });

    private static ConsumerSessionOptions LackingOne(DictionaryContents missing) => SessionPair.Items(1) with
    {
        Dictionary = missing == DictionaryContents.Enums
            ? FieldDictionary.Create(SessionSamples.Dictionary.Definitions)
            : FieldDictionary.Create([], SessionSamples.Dictionary.EnumTables),
        MissingOfDictionary = missing,
    };
}
