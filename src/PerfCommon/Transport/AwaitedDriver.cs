using System.Collections.Concurrent;
using System.IO.Pipelines;
using System.Net;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>Drives one channel for asynchronous programs, over the caller's duplex pipe or the system's sockets.</summary>
/// <param name="link">The existing connection; null for a client that will connect.</param>
internal sealed class AwaitedDriver(AwaitedLink? link = null) : IChannelDriver, IAsyncDisposable
{
    private readonly ConcurrentQueue<Action<long>> _posted = new();
    private AwaitedLink? _link = link;
    private Timer? _timer;
    private TaskCompletionSource _signal = new(); // completed to end a wait while there is no connection
    private int _isWoken;

    public TimeSource Time => SystemNetwork.Instance.Time;

    public BufferPool Pool { get; } = new();

    /// <summary>True when the bytes are sent over a socket of ours.</summary>
    public bool HasSocket => _link is { HasSocket: true };

    public Task<IPAddress[]> ResolveAsync(string host) => SystemNetwork.Instance.ResolveAsync(host);

    public NetworkLink Connect(IPAddress address, ConnectOptions options)
    {
        CloseLink(); // of the attempt before
        return _link = AwaitedLink.Connect(address, options, Wake);
    }

    public void Run(Action<long> work)
    {
        _posted.Enqueue(work);
        Wake();
    }

    /// <summary>Sends everything that the channel has queued.</summary>
    public async ValueTask FlushAsync(RsslChannel channel, CancellationToken cancellation)
    {
        channel.Flush();
        if (_link?.Bytes is not { NeedsFlush: true } bytes || channel.Closed is not null)
            return;
        bytes.NeedsFlush = false;
        try
        {
            await bytes.Pipe.Output.FlushAsync(cancellation).ConfigureAwait(false);
        }
        catch (IOException problem)
        {
            Break(channel, bytes, problem);
        }
        catch (OperationCanceledException)
        {
            bytes.WasFlushCut = bytes.NeedsFlush = true;
            throw;
        }
    }

    /// <summary>Waits for a connection, bytes, posted work or the channel's timer, and runs the channel's handler.</summary>
    public async ValueTask WaitAsync(RsslChannel channel, CancellationToken cancellation)
    {
        await FlushAsync(channel, cancellation).ConfigureAwait(false); // including bytes that the handshake or a ping left in the writer
        if (channel.Closed is not null)
            return;
        SetTimer(channel.NextTimerNanos);
        bool isConnected = _link is { Bytes: not null };
        bool isReadable = channel.MayHaveMore
            ? await YieldAsync().ConfigureAwait(false)
            : isConnected
            ? await WaitForBytesAsync(channel, _link!.Bytes!, cancellation).ConfigureAwait(false)
            : await WaitForLinkAsync(cancellation).ConfigureAwait(false);

        long now = Time.NowNanos;
        for (int left = _posted.Count; left > 0 && _posted.TryDequeue(out Action<long>? work); left--)
            work(now);
        if (isReadable || !isConnected)
            channel.OnEvents(isReadable, writable: !isConnected, now);
        if (now >= channel.NextTimerNanos)
            channel.OnTimer(now);
    }

    /// <summary>Closes the connection immediately.</summary>
    public void CloseLink() => _link?.Dispose();

    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        CloseLink();
    }

    void IChannelDriver.Detach()
    {
        // no wait is in progress while the channel uses its link
    }

    void IChannelDriver.SetInterest(bool reads, bool writes)
    {
        // every wait is for bytes; sending waits by itself
    }

    void IChannelDriver.ScheduleTimer(long atNanos)
    {
        // every wait reads the channel's timer
    }

    void IChannelDriver.ListReady()
    {
        // the waiting caller checks the channel after every wait
    }

    // Available input is processed in parts, and other tasks run in between.
    private static async ValueTask<bool> YieldAsync()
    {
        await Task.Yield();
        return true;
    }

    private async ValueTask<bool> WaitForLinkAsync(CancellationToken cancellation)
    {
        TaskCompletionSource signal = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Volatile.Write(ref _signal, signal); // before the check: a waking thread first sets the flag, and then looks for the signal
        if (!ConsumeWake())
            await signal.Task.WaitAsync(cancellation).ConfigureAwait(false);
        return false;
    }

    private async ValueTask<bool> WaitForBytesAsync(RsslChannel channel, DuplexBytePipe bytes, CancellationToken cancellation)
    {
        if (ConsumeWake())
            return false;
        try
        {
            ReadResult result = await bytes.Pipe.Input.ReadAsync(cancellation).ConfigureAwait(false);
            bytes.RecordEnd(result);
            bool isReadable = !result.IsCanceled || result.Buffer.Length > 0;
            bytes.Pipe.Input.AdvanceTo(result.Buffer.Start); // the channel reads them itself
            return isReadable;
        }
        catch (IOException problem)
        {
            Break(channel, bytes, problem);
            return false;
        }
    }

    // An opening can retry in another way; an open channel cannot.
    private void Break(RsslChannel channel, DuplexBytePipe bytes, IOException problem)
    {
        bytes.Break(problem.Message);
        if (channel.State == ChannelState.Connecting)
            channel.OnEvents(readable: true, writable: false, Time.NowNanos);
        else
            channel.EndWith(new CloseReason(CloseKind.Reset, problem.Message, problem));
    }

    private void SetTimer(long atNanos)
    {
        long due = (Math.Max(0, atNanos - Time.NowNanos) / Clock.NanosPerMilli) + 1;
        _timer ??= new Timer(static driver => ((AwaitedDriver)driver!).Wake(), this, Timeout.Infinite, Timeout.Infinite);
        _timer.Change((int)Math.Min(due, int.MaxValue), Timeout.Infinite);
    }

    /// <summary>Ends the current or the next wait; any thread.</summary>
    private void Wake()
    {
        Interlocked.Exchange(ref _isWoken, 1); // a read that checks for bytes in between may consume the cancellation
        _link?.Bytes?.Pipe.Input.CancelPendingRead();
        Volatile.Read(ref _signal).TrySetResult();
    }

    private bool ConsumeWake() => Interlocked.Exchange(ref _isWoken, 0) != 0;
}
