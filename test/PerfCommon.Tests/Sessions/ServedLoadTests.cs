using PerfCommon.Codec;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>The load of a provider's connection: updates and generic messages, each by its plan.</summary>
public sealed class ServedLoadTests
{
    private const int MoreThanBuffersHold = 5_000_000;
    private static readonly BurstPlan None = SessionSamples.Updates(rate: 0);

    private readonly Listener _consumer = new();

    [Theory]
    [InlineData(0, 0, false)]
    [InlineData(1_000, 0, true)]
    [InlineData(0, 1_000, true)]
    public void WantsTicks_ByItsPlans_IsTrueWhereMessagesAreDue(int updates, int generics, bool isDue) =>
        Assert.Equal(isDue, new SampleLoad(SessionSamples.Updates(updates), Generics(generics)).Load.WantsTicks);

    [Fact]
    public void WantsTicks_WithoutAPlanOfGenericMessages_IsThatOfTheUpdates()
    {
        Assert.False(new SampleLoad(None).Load.WantsTicks);
        Assert.True(new SampleLoad(SessionSamples.Updates()).Load.WantsTicks);
    }

    [Theory]
    [InlineData(2_000, 0)]
    [InlineData(0, 2_000)]
    [InlineData(2_000, 3_000)]
    public void Send_EachPlan_SendsItsMessagesAlone(int updates, int generics)
    {
        using SessionPair pair = new(new SampleLoad(SessionSamples.Updates(updates), Generics(generics)), _consumer);
        pair.Until(() => (updates == 0 || _consumer.Updates > 50) && (generics == 0 || _consumer.Generics > 50));
        Assert.Equal((updates > 0, generics > 0), (_consumer.Updates > 0, _consumer.Generics > 0));
        Assert.Equal(generics > 0, pair.Server.Recording.TimeOf(Moment.FirstGenericSent) is > 0);
    }

    [Theory]
    [InlineData(MoreThanBuffersHold, 0)]
    [InlineData(0, MoreThanBuffersHold)]
    public void IsBlocked_MoreThanBuffersHold_IsTrueUntilTheRestIsDiscarded(int updates, int generics)
    {
        SampleLoad load = new(SessionSamples.Updates(updates), Generics(generics));
        using SessionPair pair = new(load, _consumer);
        CounterSet counters = pair.Server.Recording.Counters;
        Counter notSent = updates > 0 ? Counter.UpdatesNotSent : Counter.GenericNotSent;
        pair.Until(() => load.Load.IsBlocked);
        long before = counters[notSent], left = load.Load.Left;
        Assert.True(left > 0);
        load.Load.Discard();
        Assert.Equal((left, 0), (counters[notSent] - before, load.Load.Left));
    }

    private static BurstPlan Generics(int rate) => new(MessageKind.Generic, rate, stampRate: 0, tickRate: 1_000, seed: 1, LatencyUnit.Microseconds);

    private sealed class Listener : ConsumerHandler
    {
        public int Updates { get; private set; }

        public int Generics { get; private set; }

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update) => Updates++;

        protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Generics++;
    }
}
