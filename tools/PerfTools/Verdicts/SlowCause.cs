using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>What the counts of a run prove of why it was slow.</summary>
internal sealed record SlowCause
{
    private const double WholeCorePercent = 95; // what a short run takes to begin and to end is part of it
    private const double BusyCorePercent = 90;
    private const double MinPeerLimitedPercent = 50;
    private const double LongLagMicros = 100_000;
    private const double MicrosPerMilli = 1_000;
    private const double MinForeignPercent = 100 * MachineDescription.MaxForeignShare;

    /// <summary>The worker threads of every role, and what each used of a core in the steady state.</summary>
    public IReadOnlyList<(string Worker, double CorePercent)> Workers { get; init; } = [];

    /// <summary>Messages of the measured link that found no output buffer.</summary>
    public long Stopped { get; init; }

    /// <summary>The peer of the sender's slowest connection; null when it is not known.</summary>
    public string? SlowPeer { get; init; }

    /// <summary>Output buffers of that connection; null when that is not known.</summary>
    public long? OutputBuffers { get; init; }

    /// <summary>How much of the time in which it had bytes on their way its peer had no room for more; null when it is not known.</summary>
    public double? PeerLimitedPercent { get; init; }

    /// <summary>Output buffers that one tick fills.</summary>
    public long BuffersPerTick { get; init; }

    /// <summary>How late the sender's latest tick was.</summary>
    public double MaxLagMicros { get; init; }

    /// <summary>What other programs used of the machine; null when it is not known.</summary>
    public double? ForeignPercent { get; init; }

    /// <summary>What went on beside it.</summary>
    public SlowCircumstances Circumstances { get; init; } = new();

    /// <summary>Names the limit that the run met, then what else went on, as the end of a sentence; null when nothing is proven.</summary>
    public string? Find() =>
        new[] { FindLimit() }.OfType<string>().Concat(Pacing().Find()).ToArray() is [_, ..] all ? string.Join("; ", all) : null;

    private string? FindLimit() => FindBuffers() ?? FindWorker() ?? FindReader() ?? FindStall();

    // That a connection is paced counts where it took less than it was given, though its peer had room, and both sides and the machine
    // had time.
    private SlowCircumstances Pacing() =>
        Stopped > 0 && FindBuffers() is null && PeerLimitedPercent < MinPeerLimitedPercent
        && Workers.All(worker => worker.CorePercent < BusyCorePercent) && !(ForeignPercent >= MinForeignPercent)
        ? Circumstances : Circumstances with { CongestionControl = null };

    // Of a burst that is larger than the queue the rest waits for the socket, however fast the reader is.
    private string? FindBuffers() => Stopped > 0 && OutputBuffers is { } buffers && buffers < BuffersPerTick
        ? Format($"{buffers:N0} output buffers are fewer than the {BuffersPerTick:N0} that a tick fills; -outputBufs {BuffersPerTick} is needed") : null;

    private string? FindWorker() => Workers.Where(worker => worker.CorePercent >= WholeCorePercent)
        .Select(worker => Format($"{worker.Worker} used {worker.CorePercent:F0} % of a core")).FirstOrDefault();

    private string? FindReader() => Stopped > 0 ? $"the output buffers were used up, as {DescribePeer()}{Beside()}" : null;

    // A peer that has room for more is not the one that is behind.
    private string DescribePeer() => PeerLimitedPercent < MinPeerLimitedPercent
        ? $"the connection{(SlowPeer is { } peer ? $" to {peer}" : "")} took no more, though its reader had room"
        : $"the reader{(SlowPeer is { } reader ? $" at {reader}" : "")} had a backlog";

    private string? FindStall() => MaxLagMicros >= LongLagMicros
        ? Format($"ticks started up to {MaxLagMicros / MicrosPerMilli:N0} ms late")
            + (Workers.Count > 0 ? " though no worker used a whole core" : "") + Beside() : null;

    private string Beside() =>
        ForeignPercent >= MinForeignPercent ? Format($", and other programs used {ForeignPercent:F0} % of the machine") : "";

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
