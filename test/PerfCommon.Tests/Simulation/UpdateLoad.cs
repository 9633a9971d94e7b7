using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Simulation;

/// <summary>Sends a provider's or publisher's numbered updates at a rate, and counts them.</summary>
internal sealed class UpdateLoad(ConversationSettings settings)
{
    private readonly BurstPlan _plan = new(MessageKind.Update, settings.Rate, stampRate: 0, settings.Worker.TickRate, settings.Seed,
        LatencyUnit.Microseconds);
    private Burst<NumberedUpdates>? _burst;
    private CounterSet? _counters;
    private ItemRotation? _items;
    private long _due;

    public bool IsBlocked => _burst is { IsBlocked: true };

    public void Open(Connection connection, ItemRotation items)
    {
        (_counters, _items) = (connection.Counters, items);
        _burst = new(_plan, connection.Recording, connection.Output, new NumberedUpdates(items));
    }

    public bool Begin(in TickInfo tick, int connection)
    {
        bool begins = _burst!.Begin(tick, connection);
        if (_items!.Count > 0) // ticks were skipped also before one without messages
            _due += _plan.CountIn(tick) + _plan.SkippedBefore(tick);
        return begins;
    }

    public void Send() => _burst?.Send();

    public void GiveUp() => _burst?.Discard();

    /// <summary>Checks, once the connection is closed, that messages that were due were sent or counted.</summary>
    public void Check()
    {
        if (_counters is not null)
            Assert.Equal(_due, _counters[Counter.UpdatesSent] + _counters[Counter.UpdatesNotSent]);
    }
}
