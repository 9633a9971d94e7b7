using System.Net;

namespace PerfCommon.Transport;

/// <summary>Receives and sends the bytes of one connection, on the owner's thread; never waits.</summary>
/// <remarks>
/// The layer between a network and frames. <see cref="NetworkLink.Open"/> returns the bottom one; TLS, WebSocket framing and the CONNECT
/// of a proxy are pipes over another pipe. <see cref="PipeLayers"/> combines them, and <see cref="Open"/> opens them before
/// the RSSL handshake; from then on they carry handshake messages and frames alike. One call per burst, not per message.
/// </remarks>
internal abstract class BytePipe : IDisposable
{
    /// <summary>Both ends of the connection at the bottom; null when the bytes are not from a network.</summary>
    public virtual (EndPoint? Local, EndPoint? Remote) Addresses => default;

    /// <summary>Statistics of the system's connection at the bottom; null when it has none.</summary>
    public virtual TcpFacts? TcpFacts => null;

    /// <summary>The error of the connection, as a sentence; null until a step returned <see cref="PipeStatus.Failed"/>.</summary>
    public abstract string? Failure { get; }

    /// <summary>
    /// True while the layer itself has bytes to send: the owner then also waits until it can send, and calls <see cref="Open"/> or
    /// <see cref="Send"/>.
    /// </summary>
    public virtual bool HasUnsent => false;

    /// <summary>Bytes of the system's send and receive buffers; null where there are none.</summary>
    public virtual (int Send, int Receive)? SystemBuffers => null;

    /// <summary>Sets the size of one of the buffers, or of both.</summary>
    /// <returns>False where there are none, or the connection is closed.</returns>
    public virtual bool TrySetSystemBuffers(int? sendBytes, int? receiveBytes) => false;

    /// <summary>Makes the owner call <see cref="Open"/> again soon. Any thread: a layer may process its handshake elsewhere.</summary>
    public virtual void WakeOwner()
    {
    }

    /// <summary>
    /// True when both ends belong to one thread, as in memory: a layer then works on that thread only.
    /// </summary>
    public virtual bool StaysOnThread => false;

    /// <summary>
    /// Maximum bytes that a layer receives within one call from a peer that sends nothing for the channel; then others are served.
    /// </summary>
    protected const int MaxBytesPerCall = 64 * 1024;

    /// <summary>
    /// Bytes of the next <see cref="Send"/> that a layer has encoded already and not counted yet: they must be first, and unchanged.
    /// </summary>
    public virtual int CommittedBytes => 0;

    /// <summary>
    /// Bytes that a layer encodes together at the cost of a few: a burst that continues is sent in multiples of it; 0 for none.
    /// </summary>
    public virtual int RecordBytes => 0;

    /// <summary>Bytes that the layer has added to those of the messages; negative where it compresses.</summary>
    public virtual long AddedBytes => 0;

    /// <summary>Bytes of the arrays of a layer that releases them when they are empty.</summary>
    public virtual int HeldBytes => 0;

    /// <summary>Releases empty arrays: called when all received bytes were read.</summary>
    public virtual void ReleaseWhenEmpty()
    {
    }

    /// <summary>
    /// True when opening failed only because it must continue over a new connection (a proxy that requests a login and disconnects).
    /// </summary>
    public virtual bool WantsReconnect => false;

    /// <summary>True when opening failed because the peer's certificate is not trusted: another attempt would fail the same way.</summary>
    public virtual bool DistrustsPeer => false;

    /// <summary>The negotiated sub-protocol when a layer is a WebSocket; null otherwise.</summary>
    public virtual string? WebSocketProtocol => null;

    /// <summary>
    /// Continues to open the layer (TLS handshake, HTTP upgrade, CONNECT). Called again after every wait until it returns Ready.
    /// </summary>
    /// <returns>Ready when the RSSL handshake may begin, Wait, Ended or Failed.</returns>
    public virtual PipeStatus Open() => PipeStatus.Ready;

    /// <summary>Receives bytes that have arrived.</summary>
    /// <param name="room">The buffer for them; never empty.</param>
    /// <param name="count">Bytes received, also with Wait.</param>
    /// <returns>
    /// Ready: there may be more. Wait: all available bytes were received. Ended or Failed: no byte will follow; <paramref name="count"/> is 0.
    /// </returns>
    public abstract PipeStatus Receive(Span<byte> room, out int count);

    /// <summary>Passes bytes to the system.</summary>
    /// <param name="bytes">Whole frames or one handshake message, or the rest of them: the next call begins with the first byte that was not
    /// accepted.</param>
    /// <param name="count">Bytes accepted, also with Wait. A layer that encodes counts a byte only when its encoded form is sent.</param>
    /// <returns>Ready when all were accepted, else Wait or Failed.</returns>
    public abstract PipeStatus Send(ReadOnlySpan<byte> bytes, out int count);

    /// <summary>Ends our stream after everything sent; receiving continues.</summary>
    public abstract void FinishSending();

    /// <summary>Closes the connection immediately.</summary>
    public abstract void Dispose();
}

/// <summary>Result of a step of a <see cref="BytePipe"/>.</summary>
internal enum PipeStatus : byte
{
    /// <summary>Done; the same step may be repeated at once.</summary>
    Ready,

    /// <summary>Nothing further now: wait until the descriptor is readable (receive) or writable (send), then repeat the step.</summary>
    Wait,

    /// <summary>The peer ended its stream in order.</summary>
    Ended,

    /// <summary>The connection is broken; <see cref="BytePipe.Failure"/> is the error.</summary>
    Failed,
}
