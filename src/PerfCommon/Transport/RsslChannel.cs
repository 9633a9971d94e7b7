namespace PerfCommon.Transport;

/// <summary>One RSSL connection, from connecting to its end. Owned by the thread of its <see cref="ChannelPoller"/>.</summary>
/// <remarks>
/// Nothing here waits: <see cref="ChannelPoller.Wait"/> does. Only <see cref="Abort"/> and the counters may be used by other threads.
/// </remarks>
public sealed partial class RsslChannel : IDisposable
{
    private CloseReason? _closed;
    private ChannelInfo? _info;

    internal RsslChannel(ChannelPoller? poller) => (Poller, _closed, _info) = (poller, null, null);

    /// <summary>Where the channel stands.</summary>
    public ChannelState State { get; private set; }

    /// <summary>Why the channel ended; null while it is open. The first reason is kept.</summary>
    public CloseReason? Closed => Volatile.Read(ref _closed);

    /// <summary>What both sides agreed on.</summary>
    /// <exception cref="InvalidOperationException">Before the handshake is done.</exception>
    public ChannelInfo Info => _info ?? throw new InvalidOperationException("The handshake is not done.");

    /// <summary>True on the accepting side.</summary>
    public bool IsServer { get; }

    /// <summary>Whatever the owner wants to find again from the channel.</summary>
    public object? Tag { get; set; }

    /// <summary>The poller that serves it; null for one that is driven by <see cref="RsslConnection"/>.</summary>
    internal ChannelPoller? Poller { get; }

    /// <summary>Ends the channel at once: what is queued is lost, unread bytes make the system reset the connection.</summary>
    public void Close() => throw new NotImplementedException();

    /// <summary>No more writes: sends what is queued, then ends our stream. Go on reading until <see cref="Closed"/> is set, or close after a time.</summary>
    public void FinishSending() => throw new NotImplementedException();

    /// <summary>True once everything was handed to the system and our stream is ended.</summary>
    public bool SendingFinished { get; private set; }

    /// <summary>Has the owner's next wait end the channel; any thread.</summary>
    /// <param name="text">Why, as a sentence.</param>
    public void Abort(string text) => throw new NotImplementedException();

    /// <summary>Closes the channel.</summary>
    public void Dispose() => Close();
}
