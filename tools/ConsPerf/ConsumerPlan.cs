using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>The messages that one worker's connection sends once its images have arrived, and which of them carry a stamp.</summary>
/// <param name="Messages">Contents of posts and generic messages.</param>
/// <param name="Posts">Number of posts.</param>
/// <param name="Generics">Number of generic messages.</param>
internal sealed record ConsumerPlan(MessageData Messages, BurstPlan Posts, BurstPlan Generics)
{
    /// <summary>Creates a worker's plan from the options, null when nothing is sent; workers are numbered from 0.</summary>
    public static ConsumerPlan? Of(ConsPerfOptions options, MessageData? messages, int worker)
    {
        return messages is null ? null : new(
            messages,
            Create(MessageKind.Post, options.PostingRate, options.PostingLatencyRate),
            Create(MessageKind.Generic, options.GenericMsgRate, options.GenericMsgLatencyRate));

        BurstPlan Create(MessageKind kind, int rate, int stamps) => new(
            kind, rate, stamps, options.Run.TickRate, seed: worker + 1, options.Session.StampUnit(), options.Run.StampsDue);
    }
}
