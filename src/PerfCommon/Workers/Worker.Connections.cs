using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <content>Opens, serves and closes the connections of a worker.</content>
public sealed partial class Worker
{
    // Interval at which connections that get turns on demand are checked anyway: round trips, drains that take too long.
    private const long LookNanos = 100 * Clock.NanosPerMilli;

    private readonly List<Dialer> _dialers = [];
    private long _nextLookNanos;
    private bool _hasLooked; // in this turn
    private int _expected;
    private int _openNow;

    /// <summary>Number of connections whose handshake is complete and that are not closed. Any thread.</summary>
    internal int OpenConnections => Volatile.Read(ref _openNow);

    /// <summary>Number of connections accepted for this worker and not closed, those in their handshake included. Any thread.</summary>
    internal int ServedConnections => Math.Max(Volatile.Read(ref _expected), 0);

    /// <summary>Adds an accepted connection; any thread.</summary>
    /// <param name="accepted">The connection from the listener.</param>
    /// <param name="connection">Handles it once its handshake is complete.</param>
    public void Serve(AcceptedConnection accepted, Connection connection)
    {
        ArgumentNullException.ThrowIfNull(accepted);
        ArgumentNullException.ThrowIfNull(connection);
        connection.Join(this);
        if (accepted.Refusal is null)
            Interlocked.Increment(ref _expected);
        else
            CountRefused(1, accepted.Options.MaxConnections);
        Poller.Post(accepted, connection);
    }

    /// <summary>Counts connections above the maximum; any thread.</summary>
    internal void CountRefused(int connections, int limit) => Poller.Run(_ =>
    {
        Recording.Counters.Add(Counter.ConnectionsRefused, connections);
        Recording.Notices.Add(ConnectionNotices.Refused, limit);
    });

    /// <summary>
    /// Connects to a server in the worker's next turns, one attempt a second until one succeeds; call it before the first turn, or on the
    /// worker's thread.
    /// </summary>
    /// <param name="connection">Handles the connection.</param>
    /// <param name="options">Address and settings of the connection.</param>
    public void Connect(Connection connection, ConnectOptions options)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(options);
        Connect(connection, options, givesUpWhenRefused: false);
    }

    /// <summary>Connects to a server; with <paramref name="givesUpWhenRefused"/> it does not retry after a refusal.</summary>
    internal Dialer Connect(Connection connection, ConnectOptions options, bool givesUpWhenRefused) =>
        Connect(new Dialer(connection, options, givesUpWhenRefused, RetryPace.EverySecond));

    /// <summary>Connects to a server by a dialer with a separate pace.</summary>
    internal Dialer Connect(Dialer dialer)
    {
        dialer.Connection.Join(this);
        _dialers.Add(dialer);
        return dialer;
    }

    /// <summary>
    /// Activates a connection that gets its turns on demand (<see cref="Connection.RunsOnDemand"/>): it gets a turn, and further ones while it is
    /// busy. Owning thread only.
    /// </summary>
    internal void Activate(Connection connection)
    {
        if (connection.IsInTurn)
            return;
        connection.IsInTurn = true;
        _inTurn.Add(connection);
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
            {
                connection.OnReadable(until);
                Activate(connection);
            }
            else if (channel.State is ChannelState.Active or ChannelState.Closing)
            {
                Welcome(channel, until);
            }
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
        Recording.RecordFirst(Moment.Connected, now);
        connection.OpenIndex = _open.Count;
        _open.Add(connection);
        Activate(connection);
        Volatile.Write(ref _openNow, _open.Count);
        connection.Open(channel, _opened++, now);
        if (_isEnding || (_isEndingFirst && connection.EndsFirst))
            connection.Finish(now);
        connection.OnReadable(until);
    }

    // Activates on-demand connections whose time is due without an event.
    private void LookAtAll()
    {
        _hasLooked = false;
        if (_open.Count == _inTurn.Count && Poller.Channels.Count == _open.Count)
            return;
        long now = Time.NowNanos;
        if (now < _nextLookNanos)
            return;
        _hasLooked = true;
        _nextLookNanos = now + LookNanos;
        foreach (Connection connection in _open)
        {
            if (now >= Math.Min(connection.NextDueNanos, connection.CutAtNanos) || connection.Channel.State == ChannelState.Closed)
                Activate(connection);
        }
    }

    private void SettleAndDrop()
    {
        for (int i = _inTurn.Count - 1; i >= 0; i--)
        {
            Connection connection = _inTurn[i];
            if (connection.Channel.Closed is { } reason)
                Drop(connection, i, reason);
            else
                SettleInTurn(connection, i);
        }

        if (Poller.Channels.Count > _open.Count && (_open.Count == _inTurn.Count || _hasLooked))
            DropChannels();
    }

    private void SettleInTurn(Connection connection, int at)
    {
        connection.Settle();
        if (!connection.RunsOnDemand || connection.IsBusy)
            return;
        connection.IsInTurn = false;
        _inTurn[at] = _inTurn[^1];
        _inTurn.RemoveAt(_inTurn.Count - 1);
        if (_inTurn.Count == 0)
            StopTicks();
    }

    private void Drop(Connection connection, int at, CloseReason reason)
    {
        _inTurn.RemoveAt(at);
        _open[connection.OpenIndex] = _open[^1];
        _open[^1].OpenIndex = connection.OpenIndex;
        _open.RemoveAt(_open.Count - 1);
        connection.End(reason);
        if (!_isEnding)
            Recording.RecordLast(Moment.Disconnected, Time.NowNanos);
        Volatile.Write(ref _openNow, _open.Count);
        if (_open.Count == 0)
            StopTicks();
        if (!_endRequested && connection.Successor?.Invoke(reason) is { } next)
            Connect(next);
    }

    private void RecordUnopened(CloseReason reason)
    {
        Recording.Counters.Add(CloseCounts.OfOpening(reason.Kind), 1);
        Recording.Notices.Add(ConnectionNotices.NotCompleted, reason.Text, reason.Kind);
    }

    // Removes closed channels, of connections that ended and of attempts that failed.
    private void DropChannels()
    {
        for (int i = Poller.Channels.Count - 1; i >= 0; i--)
        {
            RsslChannel channel = Poller.Channels[i];
            if (channel.Closed is not { } reason)
                continue;
            Poller.Remove(channel);
            if (channel.Tag is Dialer dialer)
                dialer.RecordFailure(reason, Time.NowNanos, Recording.Notices);
            else if (channel.Accepted is not null)
                Interlocked.Decrement(ref _expected);
            if (channel is { IsServer: true, Tag: Connection { OpenedNanos: 0 } })
                RecordUnopened(reason);
        }
    }
}
