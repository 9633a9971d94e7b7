using System.Diagnostics;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>One RSSL connection, from connecting to its end. Owned by the thread of its poller.</summary>
/// <remarks>
/// No call waits: its driver does, a <c>ChannelPoller</c> or the calls of an <c>RsslConnection</c>. Only <see cref="Abort"/>,
/// <see cref="Closed"/> and the counters may be used by other threads.
/// </remarks>
[DebuggerDisplay("{State} {_info}: {MessagesRead} read, {MessagesSent} of {MessagesWritten} sent")]
public sealed partial class RsslChannel : IDisposable
{
    private readonly ChannelOptions _options;
    private readonly IChannelDriver _driver;
    private readonly ChannelOpening _opening;
    private CloseReason? _closed;
    private ChannelInfo? _info;
    private BytePipe? _pipe;
    private FrameReader? _reader;
    private FrameWriter? _writer;
    private PingTimer? _pings;

    /// <param name="driver">Calls it, and provides clock and links.</param>
    /// <param name="options">Options that are requested, or granted.</param>
    /// <param name="accepted">The connection that a server accepted; null for a client, and over a caller's pipe.</param>
    internal RsslChannel(IChannelDriver driver, ChannelOptions options, AcceptedConnection? accepted = null)
    {
        (_driver, _options, Accepted) = (driver, options, accepted);
        _opening = new ChannelOpening(options, driver, accepted?.Refusal, now => AdvanceOpening(readable: false, writable: false, now));
    }

    /// <summary>The state of the channel.</summary>
    public ChannelState State { get; private set; }

    /// <summary>The reason why the channel ended; null while it is open. The first reason is kept. Any thread.</summary>
    public CloseReason? Closed => Volatile.Read(ref _closed);

    /// <summary>Settings that both sides negotiated.</summary>
    /// <exception cref="InvalidOperationException">Before the handshake is complete.</exception>
    public ChannelInfo Info => _info ?? throw new InvalidOperationException("The handshake is not done.");

    /// <summary>True on the accepting side.</summary>
    internal bool IsServer => _options is ListenOptions;

    /// <summary>Any object that the owner associates with the channel.</summary>
    public object? Tag { get; set; }

    internal AcceptedConnection? Accepted { get; }

    /// <summary>The clock of the channel.</summary>
    internal TimeSource Time => _driver.Time;

    /// <summary>The driver of the channel.</summary>
    internal IChannelDriver Driver => _driver;

    /// <summary>The time at which <see cref="OnTimer"/> is to be called.</summary>
    internal long NextTimerNanos => State switch
    {
        ChannelState.Connecting => _opening.DueNanos,
        ChannelState.Active => _pings!.DueNanos,
        ChannelState.Closing => _closeAtNanos,
        _ => long.MaxValue,
    };

    internal void OnEvents(bool readable, bool writable, long nowNanos)
    {
        if (State == ChannelState.Connecting)
        {
            AdvanceOpening(readable, writable, nowNanos);
        }
        else if (State != ChannelState.Closed)
        {
            if (writable)
                Flush();
            if (readable)
                _reading |= Reading.Receivable | Reading.Unread;
        }
    }

    internal void OnTimer(long nowNanos)
    {
        switch (State)
        {
            case ChannelState.Connecting:
                _opening.CheckTime(nowNanos);
                FollowOpening(nowNanos);
                break;
            case ChannelState.Active:
                CheckPings(nowNanos);
                break;
            case ChannelState.Closing:
                EndWith(new CloseReason(CloseKind.PeerClosed, "the peer closed and took no more bytes"));
                break;
        }
    }

    private void CheckPings(long nowNanos)
    {
        // unread bytes in the socket are a sign of life too, but not from a peer that does not read ours
        // wire/transport 6
        if (_pings!.IsPeerSilent(nowNanos, BytesRead, IsReceivable || IsHeld, _writer!.WireBytes, _isBlocked))
        {
            EndWith(new CloseReason(CloseKind.PingTimeout, $"nothing was heard from the peer for {_info!.PingTimeoutSeconds} s"));
            return;
        }

        if (_pings.IsPingDue(nowNanos, _writer!.WireBytes))
        {
            SendPing();
            _pings.RecordPing(_writer.WireBytes);
        }

        _driver.ScheduleTimer(NextTimerNanos);
    }

    private void UpdateInterest()
    {
        if (State == ChannelState.Connecting)
            _driver.SetInterest(_opening.WantsRead, _opening.WantsWrite);
        else
            _driver.SetInterest(State == ChannelState.Active && !IsHeld, _isBlocked || _pipe!.HasUnsent);
        _driver.ScheduleTimer(NextTimerNanos);
    }
}

/// <summary>State of a channel.</summary>
public enum ChannelState : byte
{
    /// <summary>The name is resolved, the socket connects, or the handshake runs; nothing can be read or written.</summary>
    Connecting,

    /// <summary>The handshake is complete.</summary>
    Active,

    /// <summary>The peer has ended its stream and the rest of ours is being sent; nothing new can be written.</summary>
    Closing,

    /// <summary>Ended; <see cref="RsslChannel.Closed"/> is the reason.</summary>
    Closed,
}
