using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Sessions;
using PerfTools.Hosting.Reporting;

namespace ConsPerf;

/// <summary>Checks the order of a connection's updates by their counts (<c>-updateSize</c> of its provider). One owner thread.</summary>
/// <param name="session">The connection.</param>
internal sealed class UpdateOrder(ConsumerSession session)
{
    private readonly SizedSequence[] _sequences = new SizedSequence[session.ItemCount];

    /// <summary>Begins the counting of an item's updates with its image.</summary>
    /// <param name="order">The order; it is created by the first image with a count.</param>
    /// <param name="session">The connection.</param>
    /// <param name="item">The item.</param>
    /// <param name="refresh">Its image.</param>
    public static void Begin(ref UpdateOrder? order, ConsumerSession session, int item, scoped in RwfMsg refresh)
    {
        int count = refresh.ContainerType == DataType.FieldList ? SizedCount.OfImage(refresh.Payload) : SizedCount.None;
        if (count != SizedCount.None)
            order ??= new UpdateOrder(session);
        if (order is not null && item < order._sequences.Length)
            order._sequences[item].Begin(count);
    }

    /// <summary>Records an update that is no post.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Record(int item, scoped in UpdateHeader update)
    {
        ref SizedSequence sequence = ref _sequences[item];
        if (sequence.IsCounted && update.ContainerType == DataType.FieldList)
            SequenceCounts.Add(session.Counters, sequence.Receive(SizedCount.Read(update.Payload), out int skipped), skipped);
    }
}
