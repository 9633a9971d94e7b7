using PerfCommon.Codec;
using PerfCommon.Sessions;

namespace PerfCommon.Tests.Sessions;

/// <summary>Counts received messages; any thread may read the counts.</summary>
internal sealed class CountingConsumer : ConsumerHandler
{
    private long _images;
    private long _updates;

    public long Images => Volatile.Read(ref _images);

    public long Updates => Volatile.Read(ref _updates);

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) => Volatile.Write(ref _images, _images + 1);

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update) => Volatile.Write(ref _updates, _updates + 1);
}
