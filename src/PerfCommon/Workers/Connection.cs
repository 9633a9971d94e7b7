using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>One connection of a worker; the derived classes define its use.</summary>
/// <remarks>The worker's thread calls every member, unless stated otherwise.</remarks>
public abstract partial class Connection
{
    private const int NoticesPerSecond = 10;
    private const long DrainNanos = 3 * Clock.NanosPerSecond;

    private readonly NoticeGate _notices = new(NoticesPerSecond);
    private Worker? _worker;
    private RsslChannel? _channel;
    private MessageOutput? _output;
    private CounterSet? _counters;
    private long _messagesBooked;
    private long _buffersBooked;
    private long _bytesBooked;
    private CloseReason? _closed;

    private protected Connection()
    {
    }

    /// <summary>The reason why the connection ended; null while it has not. Any thread.</summary>
    public CloseReason? Closed => Volatile.Read(ref _closed);

    /// <summary>True while messages may be sent.</summary>
    public bool IsOpen => _channel is { State: ChannelState.Active } && !IsFinishing;

    /// <summary>True once sending has ended: the peer's remaining messages are read and counted.</summary>
    public bool IsFinishing { get; private set; }

    /// <summary>True when the peer did not end its stream in time, so that it was disconnected. After the worker has ended.</summary>
    internal bool WasCut { get; private set; }

    /// <summary>True when the peer ended its stream after ours. After the worker has ended.</summary>
    public bool WasDrained => IsFinishing && !WasCut && Closed is { Kind: CloseKind.PeerClosed };

    /// <summary>Number of the connection within its worker, from 0.</summary>
    internal int Number { get; private set; }

    internal long OpenedNanos { get; private set; }

    /// <summary>The time at which a finishing connection is disconnected; far away before.</summary>
    internal long CutAtNanos { get; private set; } = long.MaxValue;

    /// <summary>The worker; only after the connection was added to one.</summary>
    internal Worker Worker => _worker ?? throw new InvalidOperationException("The connection belongs to no worker.");

    /// <summary>The channel; only after the handshake.</summary>
    internal RsslChannel Channel => _channel ?? throw new InvalidOperationException("The connection is not open.");

    /// <summary>Queues messages; only after the handshake.</summary>
    internal MessageOutput Output => _output ?? throw new InvalidOperationException("The connection is not open.");

    /// <summary>What its worker records; only after the connection was added to one.</summary>
    public WorkerRecording Recording => Worker.Recording;

    /// <summary>The clock by which messages are stamped.</summary>
    public TimeSource Time => Worker.Time;

    /// <summary>
    /// Counters of this connection, which also count for its worker; only after the handshake. In a tool or a hub the connection keeps only those
    /// that are reported of single connections, the worker's recording keeps all.
    /// </summary>
    public CounterSet Counters => _counters ?? throw new InvalidOperationException("The connection is not open.");

    internal virtual Packing Packing => Packing.None;

    /// <summary>Name of its use in the figures of the process.</summary>
    internal virtual string Role => "transport";

    /// <summary>
    /// True for one of thousands: it gets a turn when bytes arrive or it is activated, instead of in every turn. While it needs ticks it
    /// must be busy.
    /// </summary>
    internal virtual bool RunsOnDemand => false;

    /// <summary>True while a connection that gets its turns on demand needs the next one, too.</summary>
    internal virtual bool IsBusy => Channel.BytesQueued > 0 || IsFinishing;

    /// <summary>Sends the messages that were queued outside a tick now, as far as the socket accepts them. Owning thread only.</summary>
    public void Flush()
    {
        Output.EndBurst();
        Channel.Flush();
        Worker.Activate(this);
    }

    /// <summary>From now on no other connection replaces this one when it is closed. Owning thread only.</summary>
    public void StopRecovery() => Successor = null;

    /// <summary>
    /// Creates the connection that replaces this one when it is closed and the worker continues; null, or null from it, for none.
    /// </summary>
    internal Func<CloseReason, Dialer?>? Successor { get; set; }

    /// <summary>
    /// True for a connection whose messages are forwarded to others: when the worker ends it is read to its end before the others stop sending.
    /// </summary>
    internal virtual bool EndsFirst => false;

    /// <summary>True while it is on the worker's active list; set by the worker.</summary>
    internal bool IsInTurn { get; set; }

    /// <summary>Its index among the worker's open connections; set by the worker.</summary>
    internal int OpenIndex { get; set; }

    /// <summary>True while the connection needs the worker's ticks.</summary>
    internal virtual bool WantsTicks => false;

    /// <summary>True while messages wait for output buffers: free buffers are then used for idle-time work first.</summary>
    internal virtual bool IsBlocked => false;

    /// <summary>The time at which <see cref="OnDue"/> is to be called, in nanoseconds of <see cref="Clock"/>.</summary>
    internal virtual long NextDueNanos => long.MaxValue;

    /// <summary>Called when an attempt to connect has failed, and another follows.</summary>
    internal virtual void OnAttemptFailed(CloseReason reason)
    {
    }

    internal abstract void OnOpened(long nowNanos);

    /// <summary>Reads the bytes that have arrived, by <see cref="Receive"/>.</summary>
    /// <param name="untilNanos">When to stop.</param>
    internal abstract void OnReadable(long untilNanos);

    /// <summary>Begins the messages of a tick, if it wants ticks; <see cref="OnContinue"/> sends them.</summary>
    /// <returns>True when the tick had messages for it.</returns>
    internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Sends messages that are due, as output buffers allow.</summary>
    internal virtual void OnContinue()
    {
    }

    /// <summary>Sends some messages of low priority, in the time that ticks leave free.</summary>
    /// <returns>True when more could be sent now.</returns>
    internal virtual bool OnIdle() => false;

    internal virtual void OnDue(long nowNanos)
    {
    }

    /// <summary>Called before sending ends: messages that wait to be queued must be queued now.</summary>
    internal virtual void OnLastToQueue()
    {
    }

    /// <summary>Called when sending ends: messages that are due and not queued will not be sent.</summary>
    internal virtual void OnFinishing()
    {
    }

    /// <summary>Called when the connection is closed and counted.</summary>
    internal virtual void OnClosed(CloseReason reason)
    {
    }

    /// <summary>
    /// Ends sending in order: queued messages are sent, our stream ends, the peer's stream is read to its end (3 s at most).
    /// </summary>
    internal void Finish(long nowNanos)
    {
        if (IsFinishing)
            return;
        if (_channel is not null)
            OnLastToQueue();
        IsFinishing = true;
        CutAtNanos = nowNanos + DrainNanos;
        OnFinishing();
        _channel?.FinishSending();
    }

    /// <summary>
    /// Takes a tick. Each late tick is sent separately, so that its stamped messages do not wait for the others; where messages still wait for
    /// output buffers, those of the tick follow them.
    /// </summary>
    /// <returns>True when the tick had messages for it.</returns>
    internal bool TakeTick(in TickInfo tick)
    {
        if (!WantsTicks)
            return false;
        bool wasBlocked = IsBlocked;
        bool sends = OnTick(tick);
        if (!wasBlocked)
            OnContinue();
        return sends;
    }

    internal void Join(Worker worker) => _worker = worker;

    /// <summary>Opens the connection on a channel whose handshake is complete.</summary>
    internal void Open(RsslChannel channel, int number, long nowNanos)
    {
        _channel = channel;
        _counters = new CounterSet(Recording.Counters, Recording.ConnectionCounters);
        _output = new MessageOutput(channel, Packing, _counters);
        Number = number;
        OpenedNanos = nowNanos;
        Recording.Figures.Add(this);
        OnOpened(nowNanos);
    }

    /// <summary>Disconnects a peer that does not end its stream.</summary>
    internal void Cut()
    {
        WasCut = true;
        Channel.Close();
    }

    /// <summary>Adds the messages sent since the last call to the worker's counts.</summary>
    internal void Settle()
    {
        Output.Ledger.Settle(Counters, Channel.MessagesSent);
        CountSince(Counter.BytesSent, Channel.BytesWritten, ref _bytesBooked);
        if (!Packing.IsOn)
            return;
        CountSince(Counter.PackedMessages, Output.Messages, ref _messagesBooked);
        CountSince(Counter.PackBuffers, Output.Buffers, ref _buffersBooked);
    }

    /// <summary>Records the end: messages still queued count as not sent.</summary>
    internal void End(CloseReason reason)
    {
        Settle();
        ReportHeld(long.MaxValue);
        for (MessageKind kind = 0; kind <= MessageKind.Other; kind++)
            Counters.Add(kind.NotSent(), Output.Ledger.Unsettled(kind));
        if (reason.Kind is not (CloseKind.PeerClosed or CloseKind.Local))
            Recording.RecordBroken();
        if (Channel.IsServer)
            Recording.Counters.Add(CloseCounts.OfOpen(reason.Kind), 1);
        Volatile.Write(ref _closed, reason);
        Recording.Figures.Remove(this, reason);
        OnClosed(reason);
        Recording.RecordConnection(new ConnectionAccount(ChannelText.DescribePeer(Channel), Channel.OutputBufferLimit, Counters.Snapshot())
        {
            PeerLimitedPercent = Channel.TcpFacts?.PeerLimitedPercent
        }, NetworkPath.Of(Channel));
    }

    /// <summary>Reports an event that a peer could cause over and over: a limited number a second, the rest in a summary.</summary>
    private protected void Report(NoticeKind kind, params ReadOnlySpan<object?> values)
    {
        long now = Time.NowNanos;
        ReportHeld(now);
        Notice notice = new(kind, values);
        if (_notices.TryPass(notice.Text, now))
            Recording.Notices.Add(notice);
    }

    private void ReportHeld(long nowNanos)
    {
        if (_notices.CollectHeld(nowNanos) is { } sum)
            Recording.Notices.Add(ConnectionNotices.HeldBack, sum);
    }

    private void CountSince(Counter counter, long now, ref long booked)
    {
        if (now == booked)
            return;
        Counters.Add(counter, now - booked);
        booked = now;
    }
}
