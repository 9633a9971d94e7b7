using System.Net;

namespace PerfCommon.Transport;

/// <summary>Bytes in and out of one connection, on the owner's thread; never waits.</summary>
/// <remarks>
/// The layer between a network and frames. What <see cref="NetworkLink.Open"/> gives is the bottom; TLS, WebSocket framing and the CONNECT
/// of a proxy are pipes that stand on another pipe. They are put together in <see cref="PipeLayers"/>, opened by <see cref="Open"/> before
/// the RSSL handshake, and from then on carry handshake messages and frames alike. A call per burst, not per message.
/// </remarks>
internal abstract class BytePipe : IDisposable
{
    /// <summary>Both ends of the connection at the bottom; null when the bytes do not come from a network.</summary>
    public virtual (EndPoint? Local, EndPoint? Remote) Addresses => default;

    /// <summary>How the system's connection at the bottom was used; null when nobody knows it.</summary>
    public virtual SendTimes? SendTimes => null;

    /// <summary>What broke the connection, as a sentence; null until a step answered <see cref="PipeStatus.Failed"/>.</summary>
    public abstract string? Failure { get; }

    /// <summary>
    /// True while the layer itself has bytes to send: the owner then waits for writable as well and calls <see cref="Open"/> or
    /// <see cref="Send"/>.
    /// </summary>
    public virtual bool HasUnsent => false;

    /// <summary>Bytes of the system's buffers for what is sent and received; null where there are none.</summary>
    public virtual (int Send, int Receive)? SystemBuffers => null;

    /// <summary>Sets one of them, or both.</summary>
    /// <returns>False where there are none, or the connection is gone.</returns>
    public virtual bool TrySetSystemBuffers(int? sendBytes, int? receiveBytes) => false;

    /// <summary>Has the owner call <see cref="Open"/> again soon. Any thread: a layer may work on its handshake elsewhere.</summary>
    public virtual void WakeOwner()
    {
    }

    /// <summary>
    /// True when both ends belong to one thread, as they do in memory: a layer then does its work there and nowhere else.
    /// </summary>
    public virtual bool StaysOnThread => false;

    /// <summary>
    /// What a layer receives at most within one call, of a peer that sends nothing for the channel: behind it others have their turn.
    /// </summary>
    protected const int MaxBytesPerCall = 64 * 1024;

    /// <summary>Bytes that are given to the system together while more follow.</summary>
    /// <remarks>
    /// The more at once, the less each costs, up to what the system sends in one piece: 65,483 bytes over loopback. A few more go in a
    /// second piece, which costs as much as the first. One output buffer may come on top.
    /// </remarks>
    public const int BytesAtOnce = 56 * 1024;

    /// <summary>
    /// Bytes of the next <see cref="Send"/> that a layer has encoded already and not counted yet: they must come first, as they were.
    /// </summary>
    public virtual int CommittedBytes => 0;

    /// <summary>
    /// Bytes that a layer encodes together at the same price as a few: a burst that goes on leaves in multiples of it; 0 for none.
    /// </summary>
    public virtual int RecordBytes => 0;

    /// <summary>Bytes that the layer has added to those of the messages given to it; fewer than none where it compresses.</summary>
    public virtual long AddedBytes => 0;

    /// <summary>Bytes of the arrays that a layer keeps which gives them back when they hold nothing.</summary>
    public virtual int HeldBytes => 0;

    /// <summary>Gives back what holds no bytes: called when everything that had come was read.</summary>
    public virtual void ReleaseWhenEmpty()
    {
    }

    /// <summary>
    /// True when opening failed only because it must go on over a new connection (a proxy that asks for a login and hangs up).
    /// </summary>
    public virtual bool WantsReconnect => false;

    /// <summary>True when opening failed because we do not trust the peer's certificate: another attempt would fail the same way.</summary>
    public virtual bool DistrustsPeer => false;

    /// <summary>The sub-protocol that was agreed when a layer is a WebSocket; null otherwise.</summary>
    public virtual string? WebSocketProtocol => null;

    /// <summary>
    /// Goes on opening the layer (TLS handshake, HTTP upgrade, CONNECT). Called again after every wait until it answers Ready.
    /// </summary>
    /// <returns>Ready when the RSSL handshake may begin, Wait, Ended or Failed.</returns>
    public virtual PipeStatus Open() => PipeStatus.Ready;

    /// <summary>Takes bytes that have arrived.</summary>
    /// <param name="room">Where to put them; never empty.</param>
    /// <param name="count">Bytes put there, also beside Wait.</param>
    /// <returns>
    /// Ready: more may be there. Wait: everything there was is taken. Ended or Failed: no byte will follow; <paramref name="count"/> is 0.
    /// </returns>
    public abstract PipeStatus Receive(Span<byte> room, out int count);

    /// <summary>Hands bytes to the system.</summary>
    /// <param name="bytes">Whole frames or one handshake message, or what is left of them: the next call begins with the first byte not
    /// taken.</param>
    /// <param name="count">Bytes taken, also beside Wait. A layer that encodes counts a byte only when its encoded form has left.</param>
    /// <returns>Ready when all were taken, else Wait or Failed.</returns>
    public abstract PipeStatus Send(ReadOnlySpan<byte> bytes, out int count);

    /// <summary>Ends our stream behind everything sent; receiving goes on.</summary>
    public abstract void FinishSending();

    /// <summary>Closes the connection at once.</summary>
    public abstract void Dispose();
}

/// <summary>How a step of a <see cref="BytePipe"/> ended.</summary>
internal enum PipeStatus : byte
{
    /// <summary>Done; the same step may be taken again at once.</summary>
    Ready,

    /// <summary>Nothing further now: wait until the descriptor is readable (receive) or writable (send), then step again.</summary>
    Wait,

    /// <summary>The peer ended its stream in good order.</summary>
    Ended,

    /// <summary>The connection is broken; <see cref="BytePipe.Failure"/> says how.</summary>
    Failed,
}
