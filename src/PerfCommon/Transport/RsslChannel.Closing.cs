using PerfCommon.Measurement;

namespace PerfCommon.Transport;

public sealed partial class RsslChannel
{
    /// <summary>Time limit for sending our queued bytes once the peer has ended its stream.</summary>
    private const long ClosingNanos = 3 * Clock.NanosPerSecond;

    private enum Ending : byte { None, Requested, Done }

    private Ending _ending;
    private FrameCompressor? _compressor;
    private TcpFacts? _tcpFacts;
    private long _closeAtNanos;

    /// <summary>True once everything was passed to the system and our stream is ended.</summary>
    public bool SendingFinished => _ending == Ending.Done;

    /// <summary>Statistics of its connection until its end; null before, and where the system does not report them.</summary>
    /// <remarks>The round trip is that of the time before the end: while the rest is sent, queues on the way become empty.</remarks>
    internal TcpFacts? TcpFacts => State == ChannelState.Closed ? _tcpFacts : null;

    /// <summary>True once nothing can be sent any more, while bytes that the peer sent before may still be read.</summary>
    internal bool HasFailedSending => _sendFailure is not null;

    /// <summary>
    /// Ends writing: sends queued messages, then ends our stream. Continue to read until <see cref="Closed"/> is set, or close after a time.
    /// </summary>
    public void FinishSending()
    {
        if (State == ChannelState.Connecting)
            Close();
        if (State != ChannelState.Active || _ending != Ending.None)
            return;
        ReadTcpFacts();
        _ending = Ending.Requested;
        _writer!.Stop();
        Flush();
    }

    /// <summary>Ends the channel immediately: queued messages are lost, and unread bytes make the system reset the connection.</summary>
    public void Close() => EndWith(new CloseReason(CloseKind.Local, "closed by this side"));

    /// <summary>Ends the channel in the owner's next wait, for a reason given as a sentence; any thread.</summary>
    public void Abort(string text) => _driver.Run(_ => EndWith(new CloseReason(CloseKind.Aborted, text)));

    /// <summary>Ends a channel whose handshake is incomplete in the same way; one that has completed it meanwhile continues.</summary>
    internal void AbortOpening(string text) => _driver.Run(_ =>
    {
        if (State == ChannelState.Connecting)
            EndWith(new CloseReason(CloseKind.Aborted, text));
    });

    /// <inheritdoc cref="Close"/>
    public void Dispose() => Close();

    internal void EndWith(CloseReason reason)
    {
        if (State == ChannelState.Closed)
            return;
        State = ChannelState.Closed;
        Volatile.Write(ref _closed, reason);
        ReadTcpFacts();
        _driver.Detach();
        _opening.Dispose();
        _reader?.Dispose();
        _writer?.Dispose();
        _compressor?.Dispose();
        Accepted?.Release();
        _driver.ListReady();
    }

    private void EndOurStream()
    {
        if (SendingFinished)
            return;
        _ending = Ending.Done;
        _pipe!.FinishSending();
        if (State == ChannelState.Closing)
            EndWith(new CloseReason(CloseKind.PeerClosed, "the peer closed the connection"));
    }

    /// <summary>Handles the end of the peer's stream: sends queued messages, ends our stream, closes.</summary>
    private void EndInput(PipeStatus status)
    {
        _reading = Reading.None;
        if (status == PipeStatus.Failed)
            EndWith(new CloseReason(CloseKind.Reset, _pipe!.Failure ?? "the connection broke"));
        else if (_sendFailure is not null)
            EndWith(new CloseReason(CloseKind.Reset, _sendFailure));
        else if (_reader!.IsInsideMessage)
            EndWith(new CloseReason(CloseKind.PeerClosed, "the peer closed in the middle of a message"));
        else if (SendingFinished)
            EndWith(new CloseReason(CloseKind.PeerClosed, "the peer closed the connection"));
        else
            SendRest();
    }

    private void SendRest()
    {
        ReadTcpFacts();
        State = ChannelState.Closing;
        _writer!.Stop();
        _ending = Ending.Requested;
        _closeAtNanos = _driver.Time.NowNanos + ClosingNanos;
        UpdateInterest();
        Flush();
    }

    private void ReadTcpFacts()
    {
        if (_pipe?.TcpFacts is { } facts)
            _tcpFacts = _tcpFacts is { } before ? facts with { RoundTripMicros = before.RoundTripMicros } : facts;
    }

    /// <summary>Handles a failure to send; bytes that the peer sent before may still be read.</summary>
    private void FailSending()
    {
        _sendFailure = _pipe!.Failure ?? "the connection broke";
        _writer!.Dispose();
        SetBlocked(false);
        if (State == ChannelState.Closing)
            EndWith(new CloseReason(CloseKind.Reset, _sendFailure));
        else
            MarkReadable();
    }

    private void MarkReadable()
    {
        _reading |= Reading.Receivable | Reading.Unread;
        _driver.ListReady();
    }
}
