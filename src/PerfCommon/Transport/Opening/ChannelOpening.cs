using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <summary>
/// The way of one channel from nothing to the end of its handshake: addresses, versions, layers, handshake. It ends in
/// <see cref="Info"/>, with a pipe that is open and the bytes that came behind the handshake, or in <see cref="Failure"/>.
/// </summary>
/// <remarks>No thread, wait or clock of its own: the channel calls it when its driver says so, polled and awaited ones alike.</remarks>
internal sealed partial class ChannelOpening : IDisposable
{
    private enum Phase : byte { Resolving, Connecting, Layers, Handshake, LastReply, Pausing, Done }

    private readonly ChannelOptions _options;
    private readonly IChannelDriver _driver;
    private readonly string? _refusal;
    private readonly Action<long> _advance;
    private Phase _phase;
    private int _isWakePosted;

    /// <param name="options">What is asked for, or granted.</param>
    /// <param name="driver">The channel's.</param>
    /// <param name="refusal">Text of the nak that a server answers any request with; null to judge the request.</param>
    /// <param name="advance">Has the channel look how far the opening is; its driver runs it when a layer or a name server has an
    /// answer.</param>
    public ChannelOpening(ChannelOptions options, IChannelDriver driver, string? refusal, Action<long> advance)
    {
        (_options, _driver, _refusal) = (options, driver, refusal);
        _advance = nowNanos =>
        {
            Volatile.Write(ref _isWakePosted, 0); // before: a wake meanwhile is one more
            advance(nowNanos);
        };
    }

    /// <summary>What was agreed on, addresses included; null until the handshake is done.</summary>
    public ChannelInfo? Info => _phase == Phase.Done ? Agreed : null;

    /// <summary>Why it came to nothing; null while it has not.</summary>
    public CloseReason? Failure { get; private set; }

    /// <summary>The way of the bytes; null until there is a connection.</summary>
    public BytePipe? Pipe { get; private set; }

    /// <summary>When the opening wants to be called by itself.</summary>
    public long DueNanos { get; private set; } = long.MaxValue;

    /// <summary>True when bytes of the peer take it further.</summary>
    public bool WantsRead => _phase is Phase.Layers or Phase.Handshake or Phase.Pausing && _unsent.Length == 0;

    /// <summary>True when room to send takes it further.</summary>
    public bool WantsWrite => _phase == Phase.Connecting || _unsent.Length > 0 || Pipe is { HasUnsent: true };

    /// <summary>What the opening waits for, as a sentence. Any thread.</summary>
    public string Awaited => _phase switch
    {
        Phase.Resolving => $"no answer yet about the name {PrintableText.From(NextHop.Host)}",
        Phase.Connecting => $"no answer from {PrintableText.From(NextHop.Host)} port {NextHop.Port}",
        Phase.Layers => "the server took the connection and did not answer what comes before the handshake (TLS, WebSocket, proxy)",
        _ => "the server took the connection and did not answer the handshake",
    };

    /// <summary>Goes as far as it can: after a wait that found something, or when a layer or a name server has an answer.</summary>
    /// <param name="readable">True when the peer may have sent something.</param>
    /// <param name="writable">True when there may be room to send again, or a connect has ended.</param>
    /// <param name="nowNanos">The time.</param>
    public void Advance(bool readable, bool writable, long nowNanos)
    {
        if (_phase == Phase.Pausing && readable)
            _phase = Phase.Done;
        if (_phase == Phase.Resolving)
            TakeAddresses(nowNanos);
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

    /// <summary>Gives up what took too long.</summary>
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

    /// <summary>Has the channel look how far the opening is, soon; any thread.</summary>
    /// <remarks>However often it is asked for: else a peer whose bytes ask for it would have one more with each wait.</remarks>
    public void Wake()
    {
        if (Interlocked.Exchange(ref _isWakePosted, 1) == 0)
            _driver.Run(_advance);
    }

    /// <summary>Gives back what is needed no more; the pipe stays with whoever took it.</summary>
    public void Release()
    {
        _driver.Pool.Return(_received);
        _received = [];
        _receivedBytes = 0;
        _unsent = default;
    }

    /// <summary>Closes what was opened.</summary>
    public void Dispose()
    {
        _link?.Dispose();
        Pipe?.Dispose();
        Release();
    }

    // A socket's time-outs bound its blocking calls: here, where none blocks, they bound the opening alike, and nothing once the channel is
    // open.
    private static long Shorter(int seconds, int socketMillis) =>
        IsShorter(socketMillis, seconds) ? socketMillis * Clock.NanosPerMilli : seconds * Clock.NanosPerSecond;

    private static bool IsShorter(int socketMillis, int seconds) => socketMillis > 0 && socketMillis < seconds * 1_000L;

    private CloseReason HandshakeTookTooLong() => IsShorter(_options.ReceiveTimeoutMillis, _options.HandshakeTimeoutSeconds)
        ? new CloseReason(CloseKind.Timeout, $"the handshake was not done within {_options.ReceiveTimeoutMillis} ms")
        : new CloseReason(CloseKind.HandshakeTimeout, $"the handshake was not done within {_options.HandshakeTimeoutSeconds} s");

    private void Fail(CloseReason reason) => Failure ??= reason;
}
