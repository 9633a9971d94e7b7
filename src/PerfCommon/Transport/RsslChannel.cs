using System.Diagnostics;

namespace PerfCommon.Transport;

/// <summary>One RSSL connection, from connecting to its end. Owned by the thread of its <see cref="ChannelPoller"/>.</summary>
/// <remarks>
/// Nothing here waits: <see cref="ChannelPoller.Wait"/> does. Only <see cref="Abort"/>, <see cref="Closed"/> and the counters may be used by other threads.
/// </remarks>
[DebuggerDisplay("{State} {_info}: {MessagesRead} read, {MessagesSent} of {MessagesWritten} sent")]
public sealed partial class RsslChannel : IDisposable
{
    private readonly ChannelOptions _options;
    private readonly BufferPool _pool;
    private CloseReason? _closed;
    private ChannelInfo? _info;
    private BytePipe? _pipe;
    private FrameReader? _reader;
    private FrameWriter? _writer;

    internal RsslChannel(ChannelPoller? poller, BufferPool pool, ChannelOptions options) =>
        (Poller, _pool, _options) = (poller, pool, options);

    /// <summary>Where the channel stands.</summary>
    public ChannelState State { get; private set; }

    /// <summary>Why the channel ended; null while it is open. The first reason is kept. Any thread.</summary>
    public CloseReason? Closed => Volatile.Read(ref _closed);

    /// <summary>What both sides agreed on.</summary>
    /// <exception cref="InvalidOperationException">Before the handshake is done.</exception>
    public ChannelInfo Info => _info ?? throw new InvalidOperationException("The handshake is not done.");

    /// <summary>True on the accepting side.</summary>
    public bool IsServer => _options is ListenOptions;

    /// <summary>Whatever the owner wants to find again from the channel.</summary>
    public object? Tag { get; set; }

    /// <summary>The poller that serves it; null for one that <see cref="RsslConnection"/> drives.</summary>
    internal ChannelPoller? Poller { get; }

    internal AcceptedConnection? Accepted { get; init; }

    /// <summary>Where the waiter keeps this channel; -1 when it waits for nothing.</summary>
    internal int WaitIndex { get; set; } = -1;

    internal bool IsListedReady { get; set; }

    /// <summary>When <see cref="OnTimer"/> wants to be called, in Stopwatch nanoseconds.</summary>
    internal long NextTimerNanos { get; private set; } = long.MaxValue;

    internal void OnEvents(bool readable, bool writable, long nowNanos)
    {
        if (State == ChannelState.Closed)
            return;
        switch (_phase)
        {
            case OpeningPhase.TcpConnecting:
                FinishTcpConnect(nowNanos);
                break;
            case OpeningPhase.Layers or OpeningPhase.Handshake:
                AdvanceOpening(nowNanos);
                break;
            case OpeningPhase.Pausing:
                if (readable)
                    Activate(nowNanos);
                break;
            default:
                if (writable)
                    Flush();
                if (readable)
                    _mayHaveMore = _readable = true;
                break;
        }
    }

    internal void OnTimer(long nowNanos)
    {
        if (State == ChannelState.Connecting)
            CheckOpeningTime(nowNanos);
        else if (State == ChannelState.Active)
            CheckActiveTime(nowNanos);
        else if (State == ChannelState.Closing)
            EndWith(new CloseReason(CloseKind.PeerClosed, "the peer closed and took no more bytes"));
    }

    private void CheckActiveTime(long nowNanos)
    {
        CheckTimeouts(nowNanos);
        if (State == ChannelState.Active)
            CheckPings(nowNanos);
        if (State == ChannelState.Active)
            SetActiveTimer();
    }

    private void SetActiveTimer() => SetTimer(Math.Min(Math.Min(_pingAtNanos, _silentAtNanos), Math.Min(_receiveAtNanos, _sendAtNanos)));

    private void SetTimer(long atNanos)
    {
        NextTimerNanos = atNanos;
        Poller?.NoteTimer(atNanos);
    }

    private void UpdateInterest()
    {
        bool reads = State is ChannelState.Active or ChannelState.Connecting && _phase != OpeningPhase.TcpConnecting;
        Poller?.SetInterest(this, reads, _isBlocked || _phase == OpeningPhase.TcpConnecting || _pipe is { HasUnsent: true });
    }
}

/// <summary>Where a channel stands in its life.</summary>
public enum ChannelState : byte
{
    /// <summary>The name is resolved, the socket connects, or the handshake runs; nothing can be read or written.</summary>
    Connecting,

    /// <summary>The handshake is done.</summary>
    Active,

    /// <summary>The peer has ended its stream and the rest of ours is still on its way; nothing new can be written.</summary>
    Closing,

    /// <summary>Over; <see cref="RsslChannel.Closed"/> says why.</summary>
    Closed,
}
