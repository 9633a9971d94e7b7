using System.Collections.Concurrent;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace TransportPerf;

/// <summary>What the connections of one worker do, and where they tell how they ended.</summary>
/// <param name="options">What the run is asked to do.</param>
/// <param name="worker">Number of the worker, from 0.</param>
internal sealed class TransportPlan(TransportPerfOptions options, int worker)
{
    private bool _anyCut;

    public TransportPerfOptions Options => options;

    /// <summary>The messages of each tick; none when the side only reflects or reads.</summary>
    public BurstPlan Messages { get; } = CreateMessages(options, worker);

    /// <summary>How messages share a buffer.</summary>
    public Packing Packing { get; } = new(options.PackCount, (int)options.PackBytes);

    /// <summary>Connections that have ended, for the main thread to take.</summary>
    public ConcurrentQueue<ConnectionEnd> Ends { get; } = new();

    /// <summary>True once a connection had to be cut because its peer did not end. Any thread.</summary>
    public bool AnyCut => Volatile.Read(ref _anyCut);

    /// <summary>Notes a connection that had to be cut.</summary>
    public void NoteCut() => Volatile.Write(ref _anyCut, true);

    private static BurstPlan CreateMessages(TransportPerfOptions options, int worker)
    {
        int rate = options.Reflect ? 0 : options.MsgRate;
        int stampRate = options.LatencyMsgRate.All ? StampCells.All : Math.Min(options.LatencyMsgRate.PerSecond, rate);
        return new(MessageKind.Opaque, rate, stampRate, options.Run.TickRate, seed: worker + 1, LatencyUnit.Nanoseconds);
    }
}
