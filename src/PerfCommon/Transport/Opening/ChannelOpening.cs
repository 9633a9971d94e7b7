using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// Opens one channel from the first connect to the end of its handshake: addresses, versions, layers, handshake. The result is
/// <see cref="Info"/>, with an open pipe and the bytes received after the handshake, or <see cref="Failure"/>.
/// </summary>
/// <remarks>It has no thread, wait or clock: the channel calls it when its driver requires it, for polled and awaited channels alike.</remarks>
internal sealed partial class ChannelOpening : IDisposable
{
    private enum Phase : byte { Resolving, Connecting, Layers, Handshake, LastReply, Pausing, Done }

    private readonly ChannelOptions _options;
    private readonly IChannelDriver _driver;
    private readonly string? _refusal;
    private readonly Action<long> _advance;
    private Phase _phase;
    private int _isWakePosted;

    /// <param name="options">Options that are requested, or granted.</param>
    /// <param name="driver">Driver of the channel.</param>
    /// <param name="refusal">Text of the nak with which a server answers any request; null to check the request.</param>
    /// <param name="advance">Makes the channel check the progress of the opening; its driver runs it when a layer or a name server has an
    /// answer.</param>
    public ChannelOpening(ChannelOptions options, IChannelDriver driver, string? refusal, Action<long> advance)
    {
        (_options, _driver, _refusal) = (options, driver, refusal);
        _advance = nowNanos =>
        {
            Volatile.Write(ref _isWakePosted, 0); // before: a wake in the meantime posts another call
            advance(nowNanos);
        };
    }

    /// <summary>The negotiated settings, addresses included; null until the handshake is complete.</summary>
    public ChannelInfo? Info => _phase == Phase.Done ? Agreed : null;

    /// <summary>The reason why it failed; null otherwise.</summary>
    public CloseReason? Failure { get; private set; }

    /// <summary>The pipe of the bytes; null until there is a connection.</summary>
    public BytePipe? Pipe { get; private set; }

    /// <summary>The time at which the opening is to be called next.</summary>
    public long DueNanos { get; private set; } = long.MaxValue;

    /// <summary>True when it needs bytes from the peer.</summary>
    public bool WantsRead => _phase is Phase.Layers or Phase.Handshake or Phase.Pausing && _unsent.Length == 0;

    /// <summary>True when it needs the socket to accept bytes.</summary>
    public bool WantsWrite => _phase == Phase.Connecting || _unsent.Length > 0 || Pipe is { HasUnsent: true };

    /// <summary>Describes what the opening waits for, as a sentence. Any thread.</summary>
    public string Awaited => _phase switch
    {
        Phase.Resolving => $"no answer yet about the name {PrintableText.From(NextHop.Host)}",
        Phase.Connecting => $"no answer from {PrintableText.From(NextHop.Host)} port {NextHop.Port}",
        Phase.Layers => "the server took the connection and did not answer what comes before the handshake (TLS, WebSocket, proxy)",
        _ => "the server took the connection and did not answer the handshake",
    };

    /// <summary>Continues as far as possible: after a wait with an event, or when a layer or a name server has an answer.</summary>
    /// <param name="readable">True when bytes may have arrived.</param>
    /// <param name="writable">True when bytes may be sent again, or a connect has ended.</param>
    /// <param name="nowNanos">The time.</param>
    public void Advance(bool readable, bool writable, long nowNanos)
    {
        if (_phase == Phase.Pausing && readable)
            _phase = Phase.Done;
        if (_phase == Phase.Resolving)
            ReceiveAddresses(nowNanos);
        if (_phase == Phase.Connecting)
            LookAtLink(writable, nowNanos);
        if (_phase == Phase.Layers)
            OpenLayers(nowNanos);
        while (_phase == Phase.Handshake && Failure is null && TrySendRest() && TryAdvanceHandshake(nowNanos))
        {
        }

        if (_phase == Phase.LastReply)
            EndHandshake(nowNanos);
    }

    /// <summary>Ends an opening that exceeded its time.</summary>
    public void CheckTime(long nowNanos)
    {
        if (nowNanos < DueNanos)
            return;
        if (_phase == Phase.Pausing)
            _phase = Phase.Done;
        else if (_phase == Phase.Connecting)
            TryNextAddress("no answer in time", nowNanos);
        else
            Fail(_handshake!.Failure ?? HandshakeTookTooLong());
    }

    /// <summary>Makes the channel check the progress of the opening soon; any thread.</summary>
    /// <remarks>Repeated calls post only one: otherwise a peer whose bytes cause calls would add one with each wait.</remarks>
    public void Wake()
    {
        if (Interlocked.Exchange(ref _isWakePosted, 1) == 0)
            _driver.Run(_advance);
    }

    /// <summary>Releases what is no longer needed; the pipe stays with its new owner.</summary>
    public void Release()
    {
        _driver.Pool.Return(_received);
        _received = [];
        _receivedBytes = 0;
        _unsent = default;
    }

    /// <summary>Closes everything that was opened.</summary>
    public void Dispose()
    {
        _link?.Dispose();
        Pipe?.Dispose();
        Release();
    }

    // A socket's timeouts limit its blocking calls. No call blocks here: the timeouts limit the opening, and have no effect once the channel is
    // open.
    private static long Shorter(int seconds, int socketMillis) =>
        IsShorter(socketMillis, seconds) ? socketMillis * Clock.NanosPerMilli : seconds * Clock.NanosPerSecond;

    private static bool IsShorter(int socketMillis, int seconds) => socketMillis > 0 && socketMillis < seconds * 1_000L;

    private CloseReason HandshakeTookTooLong() => IsShorter(_options.ReceiveTimeoutMillis, _options.HandshakeTimeoutSeconds)
        ? new CloseReason(CloseKind.Timeout, $"the handshake was not done within {_options.ReceiveTimeoutMillis} ms")
        : new CloseReason(CloseKind.HandshakeTimeout, $"the handshake was not done within {_options.HandshakeTimeoutSeconds} s");

    private void Fail(CloseReason reason) => Failure ??= reason;
}
