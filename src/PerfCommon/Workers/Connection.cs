using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>One connection of a worker: what is done with it belongs to the classes derived from it.</summary>
/// <remarks>Everything here is called by the worker's thread, but what says otherwise.</remarks>
public abstract class Connection
{
    private const int MaxBytesPerTurn = 1 << 20; // where messages are long
    private const int MessagesBetweenLooks = 256;
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

    /// <summary>Why the connection ended; null while it has not. Any thread.</summary>
    public CloseReason? Closed => Volatile.Read(ref _closed);

    /// <summary>True while messages may be sent.</summary>
    public bool IsOpen => _channel is { State: ChannelState.Active } && !IsFinishing;

    /// <summary>True once sending has ended: what the peer still sends is read and counted.</summary>
    internal bool IsFinishing { get; private set; }

    /// <summary>True when the peer did not end its stream in time, so that the connection was cut. After the worker has ended.</summary>
    internal bool WasCut { get; private set; }

    /// <summary>True when the peer ended its stream after ours. After the worker has ended.</summary>
    internal bool WasDrained => IsFinishing && !WasCut && Closed is { Kind: CloseKind.PeerClosed };

    /// <summary>Number of the connection within its worker, from 0.</summary>
    internal int Number { get; private set; }

    internal long OpenedNanos { get; private set; }

    /// <summary>When a finishing connection is cut; far away before.</summary>
    internal long CutAtNanos { get; private set; } = long.MaxValue;

    /// <summary>The worker; only after the connection was given to one.</summary>
    internal Worker Worker => _worker ?? throw new InvalidOperationException("The connection belongs to no worker.");

    /// <summary>The channel; only after the handshake.</summary>
    internal RsslChannel Channel => _channel ?? throw new InvalidOperationException("The connection is not open.");

    /// <summary>Where messages are queued; only after the handshake.</summary>
    internal MessageOutput Output => _output ?? throw new InvalidOperationException("The connection is not open.");

    internal WorkerRecording Recording => Worker.Recording;

    internal TimeSource Time => Worker.Time;

    /// <summary>What this connection counts, for its worker too; only after the handshake.</summary>
    internal CounterSet Counters => _counters ?? throw new InvalidOperationException("The connection is not open.");

    internal virtual Packing Packing => Packing.None;

    /// <summary>
    /// True for one of thousands: it gets a turn when bytes come or it is attended to, instead of in every turn. While it wants ticks it
    /// must be busy.
    /// </summary>
    internal virtual bool AsksForTurns => false;

    /// <summary>True while a connection that asks for its turns wants the next one, too.</summary>
    internal virtual bool IsBusy => Channel.BytesQueued > 0 || IsFinishing;

    /// <summary>
    /// Makes the connection that takes this one's place when it is over and the worker goes on; null, or null from it, for none.
    /// </summary>
    internal Func<CloseReason, Dialer?>? Successor { get; set; }

    /// <summary>
    /// True for one whose messages go on to others: when the worker ends it is read to its end before the others' sending ends.
    /// </summary>
    internal virtual bool EndsFirst => false;

    /// <summary>True while the worker's turn looks at it; the worker's to set.</summary>
    internal bool IsInTurn { get; set; }

    /// <summary>Its place among the worker's open connections; the worker's to set.</summary>
    internal int OpenIndex { get; set; }

    /// <summary>True while the connection wants the worker's ticks.</summary>
    internal virtual bool WantsTicks => false;

    /// <summary>True while something waits for output buffers: what comes free goes to spare-time work first then.</summary>
    internal virtual bool IsBlocked => false;

    /// <summary>When <see cref="OnDue"/> wants to be called, in nanoseconds of <see cref="Clock"/>.</summary>
    internal virtual long NextDueNanos => long.MaxValue;

    /// <summary>An attempt to connect has failed, and another follows.</summary>
    internal virtual void OnAttemptFailed(CloseReason reason)
    {
    }

    internal abstract void OnOpened(long nowNanos);

    /// <summary>Reads what has arrived, by <see cref="Receive"/>.</summary>
    /// <param name="untilNanos">When to stop.</param>
    internal abstract void OnReadable(long untilNanos);

    /// <summary>Sends what a tick asks for.</summary>
    /// <returns>True when it asked for anything.</returns>
    internal virtual bool OnTick(in TickInfo tick) => false;

    /// <summary>Goes on with what found no output buffer before.</summary>
    internal virtual void OnContinue()
    {
    }

    /// <summary>Sends a little of what may wait, in the time that ticks leave.</summary>
    /// <returns>True when more could be sent now.</returns>
    internal virtual bool OnSpareTime() => false;

    internal virtual void OnDue(long nowNanos)
    {
    }

    /// <summary>Sending ends next: what waits to be queued must be now.</summary>
    internal virtual void OnLastToQueue()
    {
    }

    /// <summary>Sending ends now: what was due and is not queued will never be.</summary>
    internal virtual void OnFinishing()
    {
    }

    /// <summary>The connection is over and booked.</summary>
    internal virtual void OnClosed(CloseReason reason)
    {
    }

    /// <summary>
    /// Ends sending in good order: what is queued goes out, our stream ends, the peer's is read to its end (3 s at most).
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

    internal void Join(Worker worker) => _worker = worker;

    /// <summary>Takes the channel over once its handshake is done.</summary>
    internal void Open(RsslChannel channel, int number, long nowNanos)
    {
        _channel = channel;
        _counters = new CounterSet(Recording.Counters);
        _output = new MessageOutput(channel, Packing, _counters);
        Number = number;
        OpenedNanos = nowNanos;
        OnOpened(nowNanos);
    }

    /// <summary>Cuts a connection whose peer does not end.</summary>
    internal void Cut()
    {
        WasCut = true;
        Channel.Close();
    }

    /// <summary>Adds what went out since the last call to the worker's counts.</summary>
    internal void Settle()
    {
        Output.Ledger.Settle(Counters, Channel.MessagesSent);
        Book(Counter.BytesSent, Channel.BytesWritten, ref _bytesBooked);
        if (!Packing.IsOn)
            return;
        Book(Counter.PackedMessages, Output.Messages, ref _messagesBooked);
        Book(Counter.PackBuffers, Output.Buffers, ref _buffersBooked);
    }

    /// <summary>Books the end: what is still queued counts as not sent.</summary>
    internal void End(CloseReason reason)
    {
        Settle();
        NoteHeld(long.MaxValue);
        for (MessageKind kind = 0; kind <= MessageKind.Other; kind++)
            Counters.Add(kind.NotSent(), Output.Ledger.Unsettled(kind));
        if (reason.Kind is not (CloseKind.PeerClosed or CloseKind.Local))
            Recording.NoteBroken();
        if (Channel.IsServer)
            Recording.Counters.Add(CloseCounts.OfOpen(reason.Kind), 1);
        Volatile.Write(ref _closed, reason);
        OnClosed(reason);
        Recording.NoteConnection(new ConnectionAccount(ChannelText.DescribePeer(Channel), Channel.OutputBufferLimit, Counters.Snapshot())
        {
            PeerLimitedPercent = Channel.SendTimes?.PeerLimitedPercent
        });
    }

    /// <summary>Says what a peer has done, which it could do over and over: so often a second, then summed up.</summary>
    private protected void Note(string sentence)
    {
        long now = Time.NowNanos;
        NoteHeld(now);
        if (_notices.TryPass(sentence, now))
            Recording.Notices.Add(sentence);
    }

    /// <summary>
    /// Reads messages into a receiver, run by run, until there are no more, the turn's share is used up, or the receiver wants no more.
    /// </summary>
    /// <param name="receiver">Gets them; a struct, so that its calls are inlined.</param>
    /// <param name="untilNanos">When to stop, looked at now and then.</param>
    /// <returns>Messages read.</returns>
    private protected int Receive<TReceiver>(ref TReceiver receiver, long untilNanos)
        where TReceiver : struct, IMessageReceiver
    {
        RsslChannel channel = Channel;
        int most = Worker.Options.MaxMessagesPerTurn; // so that ticks and other connections get their turn in a flood
        int count = 0;
        bool wantsMore = true;
        long lastByte = channel.BytesRead + MaxBytesPerTurn;
        while (wantsMore && count < most && channel.BytesRead < lastByte)
        {
            if (count > 0 && untilNanos != long.MaxValue && Time.NowNanos >= untilNanos)
                break;
            int limit = untilNanos == long.MaxValue ? most - count : Math.Min(most - count, MessagesBetweenLooks);
            int taken = ReceiveRun(channel, ref receiver, limit, ref wantsMore);
            if (taken == 0 && wantsMore)
            {
                // what is no plain message, and what has not been received yet
                if (!channel.TryRead(out ReadOnlySpan<byte> message))
                    break;
                wantsMore = receiver.Take(message);
                taken = 1;
            }

            count += taken;
        }

        return count;
    }

    private static int ReceiveRun<TReceiver>(RsslChannel channel, ref TReceiver receiver, int limit, ref bool wantsMore)
        where TReceiver : struct, IMessageReceiver
    {
        channel.BeginRun(out ReceivedRun run);
        int left = limit;
        while (left > 0 && run.TryTake(out ReadOnlySpan<byte> message))
        {
            left--;
            if (receiver.Take(message))
                continue;
            wantsMore = false;
            break;
        }

        channel.EndRun(run);
        return limit - left;
    }

    private void NoteHeld(long nowNanos)
    {
        if (_notices.TakeSum(nowNanos) is { } sum)
            Recording.Notices.Add(sum);
    }

    private void Book(Counter counter, long now, ref long booked)
    {
        if (now == booked)
            return;
        Counters.Add(counter, now - booked);
        booked = now;
    }
}
