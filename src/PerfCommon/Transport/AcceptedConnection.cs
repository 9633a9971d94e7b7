using System.Diagnostics;

namespace PerfCommon.Transport;

/// <summary>A TCP connection that a listener has taken and no worker serves yet; hand it to <see cref="ChannelPoller.Post"/>.</summary>
[DebuggerDisplay("{Link}, refusal {Refusal}")]
public sealed class AcceptedConnection : IDisposable
{
    private Action? _release;

    internal AcceptedConnection(NetworkLink link, ListenOptions options, string? refusal, Action release) =>
        (Link, Options, Refusal, _release) = (link, options, refusal, release);

    /// <summary>Text of the nak when this connection is over the limit; it must be posted all the same, and never appears among the channels.</summary>
    public string? Refusal { get; private set; }

    internal NetworkLink Link { get; }

    internal ListenOptions Options { get; }

    /// <summary>Has the connection refused: a nak with this text, at most 200 characters, answers its request.</summary>
    public void Refuse(string text) => Refusal = text;

    /// <summary>Closes it without an answer, when no worker will take it.</summary>
    public void Dispose()
    {
        Link.Dispose();
        Release();
    }

    /// <summary>Tells the listener that this connection no longer counts.</summary>
    internal void Release() => Interlocked.Exchange(ref _release, null)?.Invoke();
}
