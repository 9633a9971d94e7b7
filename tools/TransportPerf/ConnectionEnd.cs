using PerfCommon.Transport;

namespace TransportPerf;

/// <summary>How a connection ended, as its worker tells the main thread.</summary>
/// <param name="Reason">What the transport says.</param>
/// <param name="Violation">How the peer broke the rules of the tool; null when it did not.</param>
/// <param name="LostMessages">True when the violation is a gap in the sequence.</param>
/// <param name="WasProven">True when the connection had really been a partner of the test.</param>
internal sealed record ConnectionEnd(CloseReason Reason, string? Violation, bool LostMessages, bool WasProven)
{
    /// <summary>True when both sides ended their streams in good order.</summary>
    public bool IsOrderly => Violation is null && Reason.Kind == CloseKind.PeerClosed;

    public string Text => Violation ?? Reason.Text;
}
