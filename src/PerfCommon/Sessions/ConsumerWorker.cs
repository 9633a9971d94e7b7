using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>The body of a consumer worker's turn: one connection from the first attempt to the drained end.</summary>
/// <remarks>
/// It starts no thread and prints nothing: the owner calls <see cref="Turn"/> until <see cref="Stage"/> is Ended. Everything public but
/// Turn may be used by other threads.
/// </remarks>
internal sealed partial class ConsumerWorker
{
    private const int MaxTicksPerTurn = 4;
    private const int MostMessageBytes = 4_096;
    private const long RetryNanos = Clock.NanosPerSecond;
    private const long LongestWaitNanos = Clock.NanosPerSecond;
    private const long DrainNanos = 3 * Clock.NanosPerSecond;
    private const long SilenceNanos = Clock.NanosPerSecond;
    private const long DictionaryLimitNanos = 5 * Clock.NanosPerSecond;
    private const long NanosPerMicro = 1_000;

    private readonly ConsumerPlan _plan;
    private readonly ChannelPoller _poller;
    private readonly ConnectOptions _connect;
    private readonly TickSchedule _schedule;
    private readonly RatePerTick _requestRate;
    private readonly ItemImages _images;
    private readonly byte[] _scratch = new byte[MostMessageBytes];
    private LoginConsumer _login;
    private DirectoryConsumer _directory;
    private DictionaryConsumer? _download;
    private RsslChannel? _channel;
    private MessageOutput? _output;
    private FieldListDecoder? _decoder;
    private int _requested;
    private long _nextAttemptNanos;
    private long _lastHeardNanos;
    private long _stageNanos;
    private long _drainUntilNanos;
    private volatile bool _endRequested;
    private volatile ConsumerFailure? _failure;
    private volatile int _stage;
    private long _firstRequestNanos;
    private long _imagesCompleteNanos;
    private long _firstUpdateNanos;
    private long _endNanos;

    /// <summary>Creates the worker; it connects with its first turn.</summary>
    /// <param name="plan">What it does.</param>
    /// <param name="poller">Its one connection.</param>
    /// <param name="connect">Where to connect and how.</param>
    public ConsumerWorker(ConsumerPlan plan, ChannelPoller poller, ConnectOptions connect)
    {
        ArgumentNullException.ThrowIfNull(plan);
        _plan = plan;
        _poller = poller;
        _connect = connect;
        _schedule = new TickSchedule(plan.TickRate);
        _requestRate = new RatePerTick(plan.RequestRate, plan.TickRate);
        _images = new ItemImages(plan.Partition.CountOf(plan.Thread));
        _login = new LoginConsumer(plan.Identity);
        _directory = new DirectoryConsumer(plan.ServiceName);
        UpdateLatency = new LatencySeries(plan.NanoStamps ? LatencyUnit.Nanoseconds : LatencyUnit.Microseconds, phased: true);
        if (plan.LatencyRecords > 0)
            LatencyRecords = new RecordRing<LatencyRecord>(plan.LatencyRecords);
    }

    /// <summary>Items of this worker.</summary>
    public int ItemCount => _images.Count;

    /// <summary>What was counted.</summary>
    public ConsumerCounters Counters { get; } = new();

    /// <summary>Latency of updates, told apart by when they were received.</summary>
    public LatencySeries UpdateLatency { get; }

    /// <summary>How late each tick of requests started, in microseconds.</summary>
    public LatencySeries SendLag { get; } = new(LatencyUnit.Microseconds);

    /// <summary>Samples for the latency file; null when none is written.</summary>
    public RecordRing<LatencyRecord>? LatencyRecords { get; }

    /// <summary>What happened that a person should read.</summary>
    public RunNotices Notices { get; } = new();

    /// <summary>How far the connection has come.</summary>
    public ConsumerStage Stage => (ConsumerStage)_stage;

    /// <summary>The furthest the connection came before it ended.</summary>
    public ConsumerStage Reached { get; private set; }

    /// <summary>Why the connection cannot go on; null while all is well.</summary>
    public ConsumerFailure? Failure => _failure;

    /// <summary>Start of the first request burst; null before.</summary>
    public long? FirstRequestNanos => Read(ref _firstRequestNanos);

    /// <summary>When the last image came in; null before.</summary>
    public long? ImagesCompleteNanos => Read(ref _imagesCompleteNanos);

    /// <summary>When the first update came in; null before.</summary>
    public long? FirstUpdateNanos => Read(ref _firstUpdateNanos);

    /// <summary>When measuring ended; null before.</summary>
    public long? EndNanos => Read(ref _endNanos);

    /// <summary>Folds all values that were decoded into one number.</summary>
    public ulong Checksum => _decoder?.Checksum ?? 0;

    /// <summary>True when the connection was drained to the provider's end of stream.</summary>
    public bool DrainedToEnd { get; private set; }

    /// <summary>Ends measuring at the worker's next turn; what is on its way is still read and counted. Any thread.</summary>
    public void RequestEnd()
    {
        _endRequested = true;
        _poller.Wake();
    }

    /// <summary>Does what is due, waits for bytes or the next due time, and reads.</summary>
    public void Turn()
    {
        long now = Clock.NowNanos;
        if (_endRequested && Stage < ConsumerStage.Draining)
            StartDraining(now);
        if (Stage == ConsumerStage.Connecting && _channel is null && now >= _nextAttemptNanos)
            _channel = _poller.Connect(_connect);
        if (Stage == ConsumerStage.Images)
            SendDueRequests(now);
        _poller.Wait(NextDue(now));
        Follow();
        ReadMessages();
        WatchChannel();
        UpdateLatency.ServiceRequests();
        SendLag.ServiceRequests();
    }

    private long NextDue(long now)
    {
        long due = now + LongestWaitNanos;
        if (Stage == ConsumerStage.Connecting && _channel is null)
            due = _nextAttemptNanos;
        else if (Stage == ConsumerStage.Images && _requested < _images.Count)
            due = _schedule.NextDueNanos;
        else if (Stage == ConsumerStage.Draining)
            due = Math.Min(due, _drainUntilNanos);
        return due;
    }

    // What the time or the channel's state brings about.
    private void Follow()
    {
        if (_channel is null)
            return;
        long now = Clock.NowNanos;
        if (Stage == ConsumerStage.Connecting && _channel.State == ChannelState.Active)
            LogIn(_channel, now);
        else if (Stage == ConsumerStage.Dictionary && now - _stageNanos > DictionaryLimitNanos)
            UseFallbackDictionary("the provider sent no dictionary within 5 s");
        else if (Stage == ConsumerStage.Draining && now >= _drainUntilNanos)
            _channel.Close();
        if (Stage is ConsumerStage.Dictionary or ConsumerStage.Images && now - _lastHeardNanos > SilenceNanos)
        {
            // Some providers answer only the first request of a segment until further bytes arrive.
            _lastHeardNanos = now;
            _channel.SendPing();
        }
    }

    private void LogIn(RsslChannel channel, long now)
    {
        _output = new MessageOutput(channel, maxPackCount: 1, packBufferBytes: 0);
        Notices.Add("Connected.");
        Notices.Add(ChannelText.Describe(channel));
        Enter(ConsumerStage.Login, now);
        Send(_login.EncodeRequest(_scratch));
    }

    private void StartDraining(long now)
    {
        Volatile.Write(ref _endNanos, now);
        bool connected = _channel?.State is ChannelState.Active or ChannelState.Closing;
        Enter(connected ? ConsumerStage.Draining : ConsumerStage.Ended, now);
        _drainUntilNanos = now + DrainNanos;
        if (_channel?.State == ChannelState.Active)
            _channel.FinishSending();
        else if (!connected)
            _channel?.Close();
    }

    private void WatchChannel()
    {
        Settle();
        if (_channel is not { State: ChannelState.Closed } channel)
            return;
        CloseReason reason = channel.Closed ?? new CloseReason(CloseKind.Local, "closed");
        _poller.Remove(channel);
        _channel = null;
        long now = Clock.NowNanos;
        if (Stage == ConsumerStage.Connecting)
        {
            Notices.Add($"Connection failed: {reason.Text}; will retry");
            _nextAttemptNanos = now + RetryNanos;
            return;
        }

        bool orderly = reason.Kind is CloseKind.PeerClosed or CloseKind.Local;
        if (Stage == ConsumerStage.Draining)
        {
            DrainedToEnd = reason.Kind == CloseKind.PeerClosed;
            if (!orderly)
                Fail(ConsumerFailureKind.ConnectionLost, $"connection lost at the end: {reason.Text}", isBroken: true);
        }
        else if (Stage != ConsumerStage.Ended)
        {
            // A provider that is killed ends its stream like one that ends in good order, but its counts are gone.
            Fail(ConsumerFailureKind.ConnectionLost, $"connection lost: {reason.Text}", isBroken: true);
        }

        if (EndNanos is null)
            Volatile.Write(ref _endNanos, now);
        Enter(ConsumerStage.Ended, now);
    }

    private void Enter(ConsumerStage stage, long now)
    {
        if (stage < ConsumerStage.Draining)
            Reached = stage;
        _stage = (int)stage;
        _stageNanos = now;
        _lastHeardNanos = now;
    }

    // Measuring ends with the first failure; what is on its way is still drained where a connection is left.
    private void Fail(ConsumerFailureKind kind, string text, bool isBroken = false)
    {
        _failure ??= new ConsumerFailure(kind, text, isBroken);
        _endRequested = true;
    }

    private void Send(int bytes)
    {
        if (bytes == 0 || !_output!.TryBegin(bytes, out Span<byte> room))
        {
            Fail(ConsumerFailureKind.ConnectionLost, "no output buffer for a message of the start-up");
            return;
        }

        _scratch.AsSpan(0, bytes).CopyTo(room);
        _output.End(bytes, MessageKind.Other);
        _channel!.Flush();
    }

    private void Settle()
    {
        if (_output is null || _channel is null)
            return;
        long before = _output.Ledger.Sent(MessageKind.Request);
        _output.Ledger.Settle(_channel.MessagesSent);
        Counters.RequestsSent.Add(_output.Ledger.Sent(MessageKind.Request) - before);
    }

    private static long? Read(ref long nanos) => Volatile.Read(ref nanos) is long value and not 0 ? value : null;
}
