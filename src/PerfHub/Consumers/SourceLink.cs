using PerfHub.FanOut;
using PerfHub.Upstream;

namespace PerfHub.Consumers;

/// <summary>A session thread's link with one source thread: the rings in both directions, and the watchers of its items.</summary>
internal sealed class SourceLink(UpstreamThread host, RingSender toSource, int consumerIndex)
{
    public UpstreamThread Host => host;

    public ByteRing FromSource { get; } = host.Broadcaster.Rings[consumerIndex];

    public RingSender ToSource => toSource;

    public Watchers Watchers { get; } = new();

    /// <summary>True while publishers' messages should not be sent to one of the source threads.</summary>
    public static bool IsAnyCrowded(SourceLink[] links) => Array.Exists(links, static link => link.ToSource.IsCrowded);

    /// <summary>True when there is something to do; else the thread is woken by the reader that frees space.</summary>
    public bool HasWork() => toSource.HasWork() || FromSource.HasUnread;
}
