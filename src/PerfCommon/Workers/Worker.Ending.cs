namespace PerfCommon.Workers;

/// <content>Ends a worker: first the connections whose messages are forwarded to others, then the rest.</content>
public sealed partial class Worker
{
    private bool _isEndingFirst;
    private bool _areFirstOver;

    // Ends those that end first, once; true when none of them is left.
    private bool AreFirstOver(long now)
    {
        if (!_isEndingFirst)
        {
            _isEndingFirst = true;
            _dialers.RemoveAll(dialer => dialer.Connection.EndsFirst);
            foreach (Connection connection in _open)
                FinishFirst(connection, now);
        }

        if (_areFirstOver || _open.Exists(connection => connection.EndsFirst))
            return _areFirstOver;
        _areFirstOver = true;
        Task?.OnFirstOver();
        Wake(); // the task does work for them now: not after a sleep
        return true;
    }

    /// <summary>Ends one connection in order while the others continue. Owning thread only.</summary>
    public void Finish(Connection connection)
    {
        connection.Finish(Time.NowNanos);
        Activate(connection);
    }

    private void FinishFirst(Connection connection, long now)
    {
        if (!connection.EndsFirst)
            return;
        connection.Finish(now);
        Activate(connection);
    }

    /// <summary>Records an end by an exception. Owning thread only.</summary>
    internal void RecordDefect(long now)
    {
        if (!_isEnding)
            RecordEnd(now);
        Recording.RecordBroken();
        Recording.RecordCpu();
    }

    private void RecordEnd(long now)
    {
        StopTicks();
        if (_open.Count > 0)
            Recording.RecordLast(Moment.Disconnected, now);
        Recording.RecordFirst(Moment.End, now);
    }

    private void BeginEnding(long now)
    {
        _isEnding = true;
        RecordEnd(now);
        _dialers.Clear();
        foreach (Connection connection in _open)
        {
            connection.Finish(now);
            Activate(connection);
        }
    }
}
