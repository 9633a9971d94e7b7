using PerfCommon.MsgData;
using PerfCommon.Workers;
using PerfTools.Hosting.Running;

namespace ConsPerf;

/// <summary>What the connection of one worker sends once its images are in, and which of the messages carry a stamp.</summary>
/// <param name="Messages">Contents of posts and generic messages.</param>
/// <param name="Posts">How many posts.</param>
/// <param name="Generics">How many generic messages.</param>
internal sealed record ConsumerPlan(MessageData Messages, BurstPlan Posts, BurstPlan Generics)
{
    /// <summary>That of the options, for a worker, which is numbered from 0; null when nothing is sent.</summary>
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
