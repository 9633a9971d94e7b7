using PerfHub.FanOut;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>A session thread's link with one source thread: the rings in both directions, and the watchers of its items.</summary>
internal sealed class SourceLink(SourceHost host, RingSender toSource, int sessionHost)
{
    public SourceHost Host => host;

    public ByteRing FromSource { get; } = host.ToSessions[sessionHost];

    public RingSender ToSource => toSource;

    public Watchers Watchers { get; } = new();

    /// <summary>True when there is something to do; else the thread is woken by the reader that frees space.</summary>
    public bool HasWork() => toSource.HasWork() || FromSource.HasUnread;
}
