using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport;

/// <summary>The driver of a channel that a test calls by hand: a clock of its own, no connections but those it was given.</summary>
internal sealed class HandDriver(BufferPool pool) : IChannelDriver
{
    private readonly ConcurrentQueue<Action<long>> _posted = new();

    public TimeSource Time { get; } = TimeSource.StartAt(0);

    public BufferPool Pool => pool;

    /// <summary>What the channel wants to be called for.</summary>
    public (bool Reads, bool Writes) Interest { get; private set; }

    public Task<IPAddress[]> ResolveAsync(string host) => Task.FromResult<IPAddress[]>([]);

    public NetworkLink Connect(IPAddress address, ConnectOptions options) => throw new SocketException((int)SocketError.NetworkUnreachable);

    public void Detach()
    {
        // nobody waits
    }

    public void SetInterest(bool reads, bool writes) => Interest = (reads, writes);

    public void NoteTimer(long atNanos)
    {
        // the test calls it when it likes
    }

    public void ListReady()
    {
        // the test looks when it likes
    }

    public void Run(Action<long> work) => _posted.Enqueue(work);

    /// <summary>Does what was posted so far, as a wait would.</summary>
    public void RunPosted()
    {
        for (int left = _posted.Count; left > 0 && _posted.TryDequeue(out Action<long>? work); left--)
            work(Time.NowNanos);
    }
}
