using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Workers;

/// <summary>A connection that writes its events into a list that several share.</summary>
/// <param name="name">Its name in the list.</param>
/// <param name="events">The list.</param>
internal sealed class OrderedConnection(string name, List<string> events) : Connection
{
    public bool IsFirst { get; init; }

    public bool IsOnDemand { get; init; }

    public bool IsBusyNow { get; set; }

    public bool IsTicking { get; set; }

    /// <summary>True where messages wait for output buffers.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>False where its ticks have nothing to send.</summary>
    public bool HasToSend { get; set; } = true;

    public long DueNanos { get; set; } = long.MaxValue;

    public long DrainEnd => CutAtNanos;

    internal override bool EndsFirst => IsFirst;

    internal override bool RunsOnDemand => IsOnDemand;

    internal override bool IsBusy => IsBusyNow || base.IsBusy;

    internal override bool WantsTicks => IsTicking;

    internal override bool IsBlocked => IsWaiting;

    internal override long NextDueNanos => DueNanos;

    internal override void OnOpened(long nowNanos) => events.Add($"{name} opened {Number}");

    internal override void OnAttemptFailed(CloseReason reason) => events.Add($"{name} failed");

    internal override void OnLastToQueue() => events.Add($"{name} last");

    internal override void OnFinishing() => events.Add($"{name} finishing");

    internal override void OnClosed(CloseReason reason) => events.Add($"{name} closed {reason.Kind}");

    internal override void OnContinue() => events.Add($"{name} turn");

    internal override bool OnTick(in TickInfo tick)
    {
        events.Add($"{name} tick {tick.Index}");
        return HasToSend;
    }

    internal override void OnDue(long nowNanos)
    {
        events.Add($"{name} due");
        DueNanos = long.MaxValue;
    }

    internal override void OnReadable(long untilNanos)
    {
        Receiver receiver = default;
        Receive(ref receiver, untilNanos);
    }

    private readonly struct Receiver : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message) => true;
    }
}
