using PerfCommon.Codec;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Items created in code, requested and published.</summary>
public class ServedItemsTests
{
    private readonly ServedItems _items = new();
    private readonly ConsumerLog _log = new();

    public ServedItemsTests()
    {
        foreach (string name in (string[])["RDT1", "RDT3"])
            _items.Set(name, SessionSamples.Messages.Refresh);
    }

    [Fact]
    public void Request_KnownAndUnknownName_IsAnsweredAndRefused()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        Assert.Equal(
            ["ready", "status 1 Closed NotFound Item request rejected for stream id 7 - there is no such item", "refresh 0 RDT1 Success",
                "refresh 2 RDT3 Success"],
            _log.Lines.OrderBy(line => line.StartsWith("refresh", StringComparison.Ordinal)));
    }

    [Fact]
    public void Publish_WatchedItem_ReachesItsConsumersAlone()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        int unwatched = _items.Set("RDT7", SessionSamples.Messages.Refresh);
        Assert.Equal((0, 1),
            (_items.Publish(unwatched, SessionSamples.Messages.Updates[0]),
                _items.Publish(_items.IndexOf("RDT3"), SessionSamples.Messages.Updates[0], stamp: 7)));
        pair.Until(() => _log.Lines.Count == 5);
        Assert.Equal("update 2 Success 7", _log.Lines[^1]);
    }

    [Fact]
    public void Set_AnotherRefresh_IsSentToWhoWatches()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        Assert.Equal(0, _items.Set("RDT1", SessionSamples.Messages.Refresh));
        pair.Until(() => _log.Lines.Count == 5);
        Assert.Equal("refresh 0 RDT1 Success", _log.Lines[^1]);
    }

    [Fact]
    public void Publish_AfterTheConsumerLeft_ReachesNobody()
    {
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        pair.Client.RequestEnd();
        pair.Until(() => pair.Client.HasEnded && pair.Server.OpenConnections == 0);
        Assert.Equal(0, _items.Publish(0, SessionSamples.Messages.Updates[0]));
    }

    [Fact]
    public void Publish_Warm_AllocatesNothing()
    {
        _log.RecordsUpdates = false;
        using SessionPair pair = new(_items.CreateHandler(), _log);
        pair.Until(() => _log.Lines.Count == 4);
        FieldListTemplate update = SessionSamples.Messages.Updates[0].Copy();
        int number = update.Fields.ToList().FindIndex(field => field.Type == DataType.Real);
        for (int i = 0; i < 2_000; i++)
            Publish(i);
        Allocation.None(() =>
        {
            for (int i = 0; i < 1_000; i++)
                Publish(i);
        });

        void Publish(int value)
        {
            update.Set(number, new RwfReal(value, RealHint.Exponent0));
            Assert.True(_items.Publish(0, update) == 1);
            pair.Server.Turn(0);
            pair.Client.Turn(0);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData(256)]
    public void Set_NameThatCannotTravel_IsRefused(object name) =>
        Assert.Throws<ArgumentException>(() => _items.Set(name as string ?? new string('x', (int)name), SessionSamples.Messages.Refresh));
}
