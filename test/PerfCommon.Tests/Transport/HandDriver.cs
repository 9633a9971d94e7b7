using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>The driver of a channel that a test calls by hand: with a separate clock and only the given connections.</summary>
internal sealed class HandDriver(BufferPool pool) : IChannelDriver
{
    private readonly ConcurrentQueue<Action<long>> _posted = new();

    public TimeSource Time { get; } = TimeSource.StartAt(0);

    public BufferPool Pool => pool;

    /// <summary>The events for which the channel is to be called.</summary>
    public (bool Reads, bool Writes) Interest { get; private set; }

    public Task<IPAddress[]> ResolveAsync(string host) => Task.FromResult<IPAddress[]>([]);

    public NetworkLink Connect(IPAddress address, ConnectOptions options) => throw new SocketException((int)SocketError.NetworkUnreachable);

    public void Detach()
    {
        // no wait is in progress
    }

    public void SetInterest(bool reads, bool writes) => Interest = (reads, writes);

    /// <summary>When the channel asked last to be called; the test does so directly.</summary>
    public long TimerNanos { get; private set; }

    public void ScheduleTimer(long atNanos) => TimerNanos = atNanos;

    public void ListReady()
    {
        // the test checks it directly
    }

    public void Run(Action<long> work) => _posted.Enqueue(work);

    /// <summary>Runs the posted work, as a wait would.</summary>
    public void RunPosted()
    {
        for (int left = _posted.Count; left > 0 && _posted.TryDequeue(out Action<long>? work); left--)
            work(Time.NowNanos);
    }
}
