using PerfHub.FanOut;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>What a session thread has of one source thread: the rings to and from it, and who watches its items.</summary>
internal sealed class SourceLink(SourceHost host, RingSender toSource, int sessionHost)
{
    public SourceHost Host => host;

    public ByteRing FromSource { get; } = host.ToSessions[sessionHost];

    public RingSender ToSource => toSource;

    public Watchers Watchers { get; } = new();

    /// <summary>True when there is something to do; else whoever makes room wakes the thread.</summary>
    public bool HasWork() => toSource.HasWork() || FromSource.HasUnread;
}
