using PerfCommon.Load;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace ProvPerf;

/// <summary>The messages that each connection of one worker is sent, and which of them carry a stamp.</summary>
internal sealed record ProviderPlan(BurstPlan Updates, BurstPlan Generics)
{
    /// <summary>True when anything is sent in addition to refreshes.</summary>
    public bool IsOn => Updates.IsOn || Generics.IsOn;

    /// <summary>Creates a worker's plan from the options; workers are numbered from 0.</summary>
    public static ProviderPlan Of(ProvPerfOptions options, int worker)
    {
        return new(
            Create(MessageKind.Update, options.UpdateRate, options.LatencyUpdateRate),
            Create(MessageKind.Generic, options.GenericMsgRate, options.GenericMsgLatencyRate));

        BurstPlan Create(MessageKind kind, int rate, LatencyRate stamps) => new(
            kind, rate, stamps.OfPlan, options.Run.TickRate, seed: worker + 1, options.Session.StampUnit(),
            options.Run.StampsDue, options.MeasureEncode)
        {
            Profile = kind == MessageKind.Update ? options.Run.RateProfile : null,
            MayChange = kind == MessageKind.Update && options.Control.TakesChanges,
        };
    }
}
