using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <content>How connections come to a worker, are served and go.</content>
public sealed partial class Worker
{
    private readonly List<Dialer> _dialers = [];
    private int _expected;
    private int _openNow;

    /// <summary>Connections whose handshake is done and that are not over. Any thread.</summary>
    internal int OpenConnections => Volatile.Read(ref _openNow);

    /// <summary>Connections accepted for this worker and not over, those still in their handshake included. Any thread.</summary>
    internal int ServedConnections => Math.Max(Volatile.Read(ref _expected), 0);

    /// <summary>Hands over an accepted connection; any thread.</summary>
    /// <param name="accepted">What the listener took.</param>
    /// <param name="connection">What is done with it once its handshake is done.</param>
    public void Serve(AcceptedConnection accepted, Connection connection)
    {
        ArgumentNullException.ThrowIfNull(accepted);
        ArgumentNullException.ThrowIfNull(connection);
        connection.Join(this);
        if (accepted.Refusal is null)
            Interlocked.Increment(ref _expected);
        Poller.Post(accepted, connection);
    }

    /// <summary>Connects to a server with the worker's next turns, an attempt a second until one succeeds; before the first turn, or on the worker's thread.</summary>
    /// <param name="connection">What is done with the connection.</param>
    /// <param name="options">Where to connect and how.</param>
    public void Connect(Connection connection, ConnectOptions options) => Connect(connection, options, givesUpWhenRefused: false);

    /// <summary>Connects to a server; with <paramref name="givesUpWhenRefused"/> one that answers and refuses is not asked again.</summary>
    internal Dialer Connect(Connection connection, ConnectOptions options, bool givesUpWhenRefused)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(options);
        connection.Join(this);
        Dialer dialer = new(connection, options, givesUpWhenRefused);
        _dialers.Add(dialer);
        return dialer;
    }

    private void DialDue(long now)
    {
        foreach (Dialer dialer in _dialers)
            dialer.DialWhenDue(Poller, now);
    }

    private void ServeReady()
    {
        long until = _isTicking && !_isEnding ? _schedule.NextDueNanos : long.MaxValue;
        IReadOnlyList<RsslChannel> ready = Poller.Ready;
        for (int i = 0; i < ready.Count; i++)
        {
            RsslChannel channel = ready[i];
            if (channel.Tag is Connection { OpenedNanos: > 0 } connection)
                connection.OnReadable(until);
            else if (channel.State is ChannelState.Active or ChannelState.Closing)
                Welcome(channel, until);
        }
    }

    private void Welcome(RsslChannel channel, long until)
    {
        if (channel.Tag is Dialer dialer)
        {
            channel.Tag = dialer.Connection;
            _dialers.Remove(dialer);
        }

        if (channel.Tag is not Connection connection)
            return;
        long now = Time.NowNanos;
        Recording.NoteFirst(Moment.Connected, now);
        _open.Add(connection);
        Volatile.Write(ref _openNow, _open.Count);
        connection.Open(channel, _opened++, now);
        if (_isEnding)
            connection.Finish(now);
        connection.OnReadable(until);
    }

    private void SettleAndDrop()
    {
        for (int i = _open.Count - 1; i >= 0; i--)
        {
            Connection connection = _open[i];
            if (connection.Channel.Closed is { } reason)
                Drop(connection, i, reason);
            else
                connection.Settle();
        }

        if (Poller.Channels.Count > _open.Count)
            DropChannels();
    }

    private void Drop(Connection connection, int at, CloseReason reason)
    {
        _open.RemoveAt(at);
        connection.End(reason);
        if (!_isEnding)
            Recording.NoteLast(Moment.Disconnected, Time.NowNanos);
        Volatile.Write(ref _openNow, _open.Count);
        if (_open.Count == 0)
            StopTicks();
    }

    // Closed channels, of connections that are over and of attempts that failed.
    private void DropChannels()
    {
        for (int i = Poller.Channels.Count - 1; i >= 0; i--)
        {
            RsslChannel channel = Poller.Channels[i];
            if (channel.Closed is not { } reason)
                continue;
            Poller.Remove(channel);
            if (channel.Tag is Dialer dialer)
                dialer.NoteFailure(reason, Time.NowNanos, Recording.Notices);
            else if (channel.Accepted is not null)
                Interlocked.Decrement(ref _expected);
            if (channel is { IsServer: true, Tag: Connection { OpenedNanos: 0 } })
                Recording.Notices.Add($"Connection not completed: {reason.Text}");
        }
    }
}
