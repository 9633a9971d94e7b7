using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfTools.Hosting.Options;

namespace TransportPerf;

/// <summary>What every worker of a run is to do.</summary>
internal sealed record TransportPlan
{
    private const int SlowestLatencyReader = 1 << 20;

    public TransportPlan(TransportPerfOptions options, ConnectOptions? connect)
    {
        Options = options;
        Connect = connect;
        Rate = new RatePerTick(options.Reflect ? 0 : options.MsgRate, options.Run.TickRate);
        Sends = !options.Reflect && options.MsgRate > 0;
    }

    public TransportPerfOptions Options { get; }

    /// <summary>How a client connects; null on a server.</summary>
    public ConnectOptions? Connect { get; }

    /// <summary>Messages due in each tick.</summary>
    public RatePerTick Rate { get; }

    /// <summary>True when ticks send anything.</summary>
    public bool Sends { get; }

    /// <summary>Draws which messages carry a stamp.</summary>
    /// <param name="seed">Differs from worker to worker.</param>
    public StampCells CreateStampCells(int seed)
    {
        LatencyRate stamps = Options.LatencyMsgRate;
        int rate = Sends ? Options.MsgRate : 0;
        int perSecond = stamps.All ? StampCells.All : Math.Min(stamps.PerSecond, rate);
        return new StampCells(rate, perSecond, Options.Run.TickRate, seed);
    }

    /// <summary>The ring for the latency file; null without that file.</summary>
    public RecordRing<LatencyRecord>? CreateLatencyRing() =>
        Options.Run.LatencyFile is null ? null : new RecordRing<LatencyRecord>(SlowestLatencyReader);
}
