using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>The evidence in the counts of a run for why it was slow.</summary>
internal sealed record SlowCause
{
    private const double WholeCorePercent = 95; // includes the start and the end of a short run
    private const double BusyCorePercent = 90;
    private const double MinPeerLimitedPercent = 50;
    private const double FullCardShare = 0.9;
    private const double LongLagMicros = 100_000;
    private const double MicrosPerMilli = 1_000;
    private const double MinForeignPercent = 100 * MachineDescription.MaxForeignShare;

    /// <summary>The worker threads of every role, and the use of a core by each in the steady state.</summary>
    public IReadOnlyList<(string Worker, double CorePercent)> Workers { get; init; } = [];

    /// <summary>Messages of the measured link that found no output buffer.</summary>
    public long Stopped { get; init; }

    /// <summary>The peer of the sender's slowest connection; null when it is unknown.</summary>
    public string? SlowPeer { get; init; }

    /// <summary>Output buffers of that connection; null when their number is unknown.</summary>
    public long? OutputBuffers { get; init; }

    /// <summary>The share of the time with bytes in flight in which the peer's receive buffer was full; null when it is unknown.</summary>
    public double? PeerLimitedPercent { get; init; }

    /// <summary>The path of that connection; null within one host, and where it is unknown.</summary>
    public HostPath? Path { get; init; }

    /// <summary>The number of output buffers that one tick fills.</summary>
    public long BuffersPerTick { get; init; }

    /// <summary>The maximum lateness of a sender's tick.</summary>
    public double MaxLagMicros { get; init; }

    /// <summary>The CPU use of other programs; null when it is unknown.</summary>
    public double? ForeignPercent { get; init; }

    /// <summary>The circumstances of the run.</summary>
    public SlowEvidence Circumstances { get; init; } = new();

    /// <summary>Names the limit that the run reached, then its circumstances, as the end of a sentence; null when nothing is proven.</summary>
    public string? Find() =>
        new[] { FindLimit() }.OfType<string>().Concat(Pacing().Find()).ToArray() is [_, ..] all ? string.Join("; ", all) : null;

    private string? FindLimit() => FindBuffers() ?? FindWorker() ?? FindReader() ?? FindStall();

    // Pacing of a connection is reported where the connection accepted less than it was given, although the peer's receive buffer had space,
    // and both sides and the machine had idle time.
    private SlowEvidence Pacing() =>
        Stopped > 0 && FindBuffers() is null && PeerLimitedPercent < MinPeerLimitedPercent
        && Workers.All(worker => worker.CorePercent < BusyCorePercent) && !(ForeignPercent >= MinForeignPercent)
        ? Circumstances : Circumstances with { CongestionControl = null };

    // When a burst is larger than the queue, its rest waits for the socket, however fast the reader is.
    private string? FindBuffers() => Stopped > 0 && OutputBuffers is { } buffers && buffers < BuffersPerTick
        ? Format($"{buffers:N0} output buffers are fewer than the {BuffersPerTick:N0} that a tick fills; -outputBufs {BuffersPerTick} is needed") : null;

    private string? FindWorker() => Workers.Where(worker => worker.CorePercent >= WholeCorePercent)
        .Select(worker => Format($"{worker.Worker} used {worker.CorePercent:F0} % of a core")).FirstOrDefault();

    private string? FindReader() => Stopped > 0 ? $"the output buffers were used up, as {DescribePeer()}{Beside()}" : null;

    // A peer with space in its receive buffer is not the slow one.
    private string DescribePeer() => PeerLimitedPercent < MinPeerLimitedPercent
        ? $"{DescribeLink() ?? $"the connection{(SlowPeer is { } peer ? $" to {peer}" : "")} took no more"}, though its reader had room"
        : $"the reader{(SlowPeer is { } reader ? $" at {reader}" : "")} had a backlog";

    // Packets need some room for headers besides the data.
    private string? DescribeLink() => Path is not { Megabits: { } rate } path ? null
        : Format($"the link from {path.Local} to {path.Peer} took no more than {rate:N0} Mbit/s ({path.Text})")
            + (rate >= path.CardMegabits * FullCardShare ? Format($", as its card {path.Card} has {path.CardMegabits:N0} Mbit/s") : "");

    private string? FindStall() => MaxLagMicros >= LongLagMicros
        ? Format($"ticks started up to {MaxLagMicros / MicrosPerMilli:N0} ms late")
            + (Workers.Count > 0 ? " though no worker used a whole core" : "") + Beside() : null;

    private string Beside() =>
        ForeignPercent >= MinForeignPercent ? Format($", and other programs used {ForeignPercent:F0} % of the machine") : "";

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
