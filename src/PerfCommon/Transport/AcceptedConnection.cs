using System.Diagnostics;

namespace PerfCommon.Transport;

/// <summary>A TCP connection that a listener accepted and no worker serves yet; pass it to <see cref="ChannelPoller.Post"/>.</summary>
[DebuggerDisplay("{Link}, refusal {Refusal}")]
public sealed class AcceptedConnection : IDisposable
{
    private readonly UnfinishedHandshakes _unfinished;
    private Action? _release;
    private RsslChannel? _channel;
    private string? _ended;

    internal AcceptedConnection(NetworkLink link, ListenOptions options, string? refusal, UnfinishedHandshakes unfinished, Action release)
    {
        (Link, Options, Refusal, _release) = (link, options, refusal, release);
        _unfinished = unfinished;
        _unfinished.Add(this);
    }

    /// <summary>
    /// Text of the nak when this connection exceeds the limit; it must be posted anyway, and never appears among the channels.
    /// </summary>
    internal string? Refusal { get; private set; }

    /// <summary>Output buffers that it shares with the other connections of its listener; null for no sharing.</summary>
    internal SharedBuffers? Shared { get; init; }

    internal NetworkLink Link { get; }

    internal ListenOptions Options { get; }

    /// <summary>Refuses the connection: a nak with this text, at most 200 characters, answers its request.</summary>
    public void Refuse(string text) => Refusal = text;

    /// <summary>Closes it without an answer, when no worker will serve it.</summary>
    public void Dispose()
    {
        Link.Dispose();
        Release();
    }

    /// <summary>Records that its handshake is complete.</summary>
    internal void RecordOpened() => _unfinished.Remove(this);

    /// <summary>Notifies the listener that this connection no longer counts.</summary>
    internal void Release()
    {
        _unfinished.Remove(this);
        Interlocked.Exchange(ref _release, null)?.Invoke();
    }

    /// <summary>Sets the channel that serves it from now on.</summary>
    internal void Attach(RsslChannel channel)
    {
        Volatile.Write(ref _channel, channel);
        Interlocked.MemoryBarrier(); // one of the two sees the other's write
        if (Volatile.Read(ref _ended) is { } reason)
            channel.AbortOpening(reason);
    }

    /// <summary>Ends it while its handshake is incomplete, served or not; any thread.</summary>
    internal void End(string reason)
    {
        Volatile.Write(ref _ended, reason);
        Interlocked.MemoryBarrier();
        Volatile.Read(ref _channel)?.AbortOpening(reason);
    }
}
