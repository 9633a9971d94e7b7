using PerfCommon.Codec;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>What a consumer's session reports of itself: notices, what its service lacks, moments, whether it needs ticks.</summary>
public sealed class ConsumerFactsTests
{
    private readonly ProviderLog _provider = new();
    private readonly ConsumerLog _log = new();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Notices_OfTheStart_NameEachStage(bool primes)
    {
        const string Priming = "Dictionary ready, requesting each item once ahead of the run...";
        using SessionPair pair = Start(SessionPair.Items(2) with { Prime = primes });
        List<string> notices = SessionPair.Notices(pair.Client);
        Assert.Equal("Connected.", notices[0]);
        Assert.Equal(["Received login response.", .. primes ? [Priming] : (string[])[], "Dictionary ready, requesting items..."], notices[2..]);
    }

    [Fact]
    public void ServiceShortcoming_ByStage_SaysWhatIsMissing()
    {
        using SessionPair pair = new(_provider, _log, SessionPair.Items(2) with { ServiceName = "OTHER" });
        Assert.Equal("the provider has not answered the directory request", pair.Consumer.ServiceShortcoming);
        pair.Until(() => pair.Consumer.ServiceShortcoming == "the provider offers DIRECT_FEED");
        Assert.Equal(ConsumerStage.Service, pair.Consumer.Stage);
    }

    [Fact]
    public void ValuesOf_UpdateOfFields_HasThemAndOneOfAMapNone()
    {
        using SessionPair pair = Start(SessionPair.Items(1));
        byte[] list = Encode((ref RwfWriter writer) => SessionSamples.Messages.Updates[0].EncodeList(ref writer));
        int fields = SessionSamples.Messages.Updates[0].FieldCount;
        Assert.Equal(fields, CountValues(pair.Consumer, DataType.FieldList, list));
        Assert.Equal(0, CountValues(pair.Consumer, DataType.Map, list));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void End_OfASession_IsAMomentUnlessItIsOneOfMany(bool isOneOfMany)
    {
        using SessionPair pair = Start(SessionPair.Items(2) with { IsOneOfMany = isOneOfMany });
        Assert.Null(pair.Client.Recording.TimeOf(Moment.End));
        pair.Consumer.Fail(ConsumerFailureKind.BadMessage, "a test ends it");
        Assert.Equal(isOneOfMany, pair.Client.Recording.TimeOf(Moment.End) is null);
    }

    // One of thousands sleeps then until bytes arrive.
    [Fact]
    public void WantsTicks_AllRequested_IsFalseUnlessTheHandlerDoes()
    {
        using SessionPair pair = Start(SessionPair.Items(2) with { IsOneOfMany = true });
        Assert.False(pair.Consumer.WantsTicks || pair.Consumer.IsBusy);
    }

    private SessionPair Start(ConsumerSessionOptions options)
    {
        SessionPair pair = new(_provider, _log, options);
        int images = options.ItemCount;
        pair.Until(() => _log.Lines.Count(line => line.StartsWith("refresh", StringComparison.Ordinal)) == images);
        return pair;
    }

    private static int CountValues(ConsumerSession session, DataType container, byte[] payload)
    {
        RwfMsg update = new()
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = session.StreamIdOf(0),
            ContainerType = container,
            Payload = payload,
        };
        Assert.True(UpdateHeader.TryRead(Tests.Domains.Wire.Encode(update), out UpdateHeader header));
        FieldListReader entries = session.ValuesOf(header).Entries;
        int count = 0;
        while (entries.TryReadNext(out _) == DecodeResult.Success)
            count++;
        return count;
    }

    private delegate void Writing(ref RwfWriter writer);

    private static byte[] Encode(Writing write)
    {
        byte[] room = new byte[2_000];
        RwfWriter writer = new(room);
        write(ref writer);
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }
}
