using HubPerf;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Updates that wait for others, and updates that are merged: what a consumer receives, and what the hub counts.</summary>
public class HubBatchingTests
{
    private const int ProviderPort = 201;
    private static readonly string[] Names = [.. Enumerable.Range(1, 10).Select(i => $"N{i}")];

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, false)]
    [InlineData(0, true)]
    public void Batches_OfManyUpdates_LoseNothingAndKeepTheOrder(int sourceThreads, bool isPerSession)
    {
        using MemoryHub hub =
            new(new HubPerfOptions { SourceThreads = sourceThreads, BurstMaxSeconds = 0.05, IsBurstPerSession = isPerSession });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        NumberConsumer[] handlers = [.. Enumerable.Range(0, 5).Select(_ => new NumberConsumer())];
        ConsumerSession[] sessions = [.. handlers.Select(handler => hub.Consume(handler, NumberProvider.ServiceName, Names))];
        hub.Until(() => Array.TrueForAll(handlers, handler => handler.Updates > 2_000));
        hub.End();
        hub.Until(() => Array.TrueForAll(sessions, session => session.Closed is not null));

        Assert.Empty(handlers.SelectMany(handler => handler.Faults));
        Assert.Equal(hub.Count(HubCounter.CopiesDue), handlers.Sum(handler => handler.Updates));
        Assert.Equal(hub.Count(HubCounter.CopiesDue), hub.Count(Counter.UpdatesSent));
        Assert.Equal(hub.Count(HubCounter.UpdatesReceived) + hub.Count(HubCounter.UpdatesCopied),
            hub.Count(Counter.UpdatesSent) + hub.Count(HubCounter.UpdatesUnwatched));
        Assert.Equal(hub.Count(HubCounter.UpdatesReceived), hub.Sessions.Recording[Series.Through].CollectRest().Count); // each is reported in the end
        // 10 a turn of a millisecond, 50 turns at most
        Assert.InRange((double)hub.Count(Counter.UpdatesSent) / hub.Count(HubCounter.Sends), 50, 550);
    }

    [Fact]
    public void Update_ThatNothingCameBeforeFor_IsNotHeldBack()
    {
        using MemoryHub hub = new(new HubPerfOptions { BurstMinSeconds = 0.05, BurstMaxSeconds = 0.05 });
        NumberProvider provider = new() { IsUpdating = false };
        hub.AddProvider(ProviderPort, () => provider);
        NumberConsumer handler = new();
        hub.Consume(handler, NumberProvider.ServiceName, Names[..1]);
        hub.Until(() => handler.Items == 1);
        hub.Turns(200);

        Assert.InRange(TurnsUntilUpdate(hub, provider, handler), 1, 6);
        Assert.InRange(TurnsUntilUpdate(hub, provider, handler), 6, 60); // this one waits for the end of its phase
        hub.Turns(200);
        Assert.InRange(TurnsUntilUpdate(hub, provider, handler), 1, 6);
    }

    /// <summary>An update that the hub holds back is lost with a connection that breaks, and has no watcher when the consumer leaves in order.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Update_ThatWaitsAsItsConsumerLeaves_IsLostWhereTheConnectionBreaks(bool isBroken)
    {
        using MemoryHub hub = new(new HubPerfOptions { BurstMinSeconds = 0.05, BurstMaxSeconds = 0.05 });
        NumberProvider provider = new() { IsUpdating = false };
        hub.AddProvider(ProviderPort, () => provider);
        NumberConsumer handler = new();
        ConsumerSession session = hub.Consume(handler, NumberProvider.ServiceName, Names[..1]);
        hub.Until(() => handler.Items == 1);
        hub.Turns(200);
        TurnsUntilUpdate(hub, provider, handler);
        provider.IsUpdating = true;
        hub.Turn();
        provider.IsUpdating = false;
        hub.Until(() => hub.Count(HubCounter.CopiesDue) == 2);
        if (isBroken)
            hub.Accepted.Single().Channel.Abort("broken by the test");
        else
            session.Worker.RequestEnd();
        hub.Until(() => hub.Read(HubGauge.Items) == 0);

        long lost = isBroken ? 1 : 0;
        Assert.Equal((2, 1, lost, 1 - lost, 1 - lost), (hub.Count(HubCounter.CopiesDue), hub.Count(Counter.UpdatesSent),
            hub.Count(Counter.UpdatesNotSent), hub.Count(Counter.CopiesUnwatched), hub.Count(HubCounter.UpdatesUnwatched)));
    }

    [Fact]
    public void Tuning_SwitchedOffWhileUpdatesWait_SendsThemAtTheirTime()
    {
        using MemoryHub hub = new(new HubPerfOptions { BurstMinSeconds = 0.05, BurstMaxSeconds = 0.05 });
        hub.AddProvider(ProviderPort, () => new NumberProvider());
        NumberConsumer handler = new();
        hub.Consume(handler, NumberProvider.ServiceName, Names);
        hub.Until(() => handler.Updates > 500);
        hub.Tuning.Burst = BurstSettings.Off;
        hub.Turns(120);
        (long sends, int updates) = (hub.Count(HubCounter.Sends), handler.Updates);
        hub.Turns(100);

        Assert.Empty(handler.Faults);
        Assert.InRange(hub.Count(HubCounter.Sends) - sends, (handler.Updates - updates) / 10 / 2, handler.Updates - updates);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Throttle_OfEveryItem_MergesWhatComesTooSoon(int sourceThreads)
    {
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = sourceThreads, ThrottleSeconds = 0.1 });
        NumberProvider provider = new();
        hub.AddProvider(ProviderPort, () => provider);
        NumberConsumer early = new() { AllowsGaps = true }, late = new() { AllowsGaps = true };
        hub.Consume(early, NumberProvider.ServiceName, Names);
        hub.Until(() => early.Items == Names.Length);
        hub.Turns(950);
        hub.Consume(late, NumberProvider.ServiceName, Names); // each of its images is ahead of what waits
        hub.Turns(500);
        provider.IsUpdating = false;
        hub.Turns(300);

        Assert.Empty(early.Faults);
        Assert.Empty(late.Faults);
        Assert.InRange(early.Updates, 120, 180); // ten items, each every 100 of some 1,450 turns
        Assert.All(Enumerable.Range(0, Names.Length), item => Assert.Equal(early.LastOf(item), late.LastOf(item)));
        Assert.Equal(hub.Count(HubCounter.UpdatesReceived),
            hub.Count(HubCounter.UpdatesThrottled) + hub.Count(HubCounter.UpdatesUnwatched) + early.Updates);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Throttle_OfRandomUpdates_AgreesWithASimpleModel(int seed)
    {
        const int WaitTurns = 20;
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = 0, ThrottleSeconds = WaitTurns * MemoryHub.TurnNanos / 1e9 });
        NumberProvider provider = new() { IsUpdating = false };
        hub.AddProvider(ProviderPort, () => provider);
        NumberConsumer handler = new() { AllowsGaps = true };
        hub.Consume(handler, NumberProvider.ServiceName, Names[..1]);
        hub.Until(() => handler.Items == 1);
        hub.Turns(10);

        Random random = new(seed);
        List<(int Turn, ulong Number)> expected = [], delivered = [];
        (ulong sent, bool waits, int until) = (0, false, 0);
        for (int turn = 1; turn <= 6_000; turn++)
        {
            provider.IsUpdating = random.Next(100) < (turn / 1_000 % 2 == 0 ? 3 : 60); // rare, then frequent
            sent += provider.IsUpdating ? 1UL : 0;
            waits |= provider.IsUpdating;
            if (waits && turn >= until)
            {
                expected.Add((turn, sent)); // the last of those that came meanwhile
                (waits, until) = (false, turn + WaitTurns);
            }

            int before = handler.Updates;
            hub.Turn();
            if (handler.Updates > before)
                delivered.Add((turn, handler.LastOf(0)));
        }

        Assert.Equal(expected, delivered);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Throttle_SwitchedOffWhileUpdatesWait_SendsThemBeforeLaterOnes(int sourceThreads)
    {
        using MemoryHub hub = new(new HubPerfOptions { SourceThreads = sourceThreads, ThrottleSeconds = 0.1 });
        NumberProvider provider = new();
        hub.AddProvider(ProviderPort, () => provider);
        NumberConsumer handler = new() { AllowsGaps = true };
        hub.Consume(handler, NumberProvider.ServiceName, Names);
        hub.Until(() => handler.Updates > 50);
        hub.Tuning.ThrottleNanos = 0;
        hub.Turns(300);
        provider.IsUpdating = false;
        hub.Turns(300);

        Assert.Empty(handler.Faults);
        Assert.InRange(handler.Updates, 1_000, 3_500); // ten a turn once nothing waits any longer
    }

    private static int TurnsUntilUpdate(MemoryHub hub, NumberProvider provider, NumberConsumer handler)
    {
        int before = handler.Updates;
        provider.IsUpdating = true;
        hub.Turn();
        provider.IsUpdating = false;
        int turns = 1;
        while (handler.Updates == before)
        {
            hub.Turn();
            turns++;
        }

        return turns;
    }
}
