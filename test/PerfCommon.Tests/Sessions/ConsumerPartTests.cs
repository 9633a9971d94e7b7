using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Sessions that share one list of items: each requests those of its part, and no others.</summary>
public sealed class ConsumerPartTests
{
    private readonly ConsumerLog _log = new();

    // Eight items of two threads, of which they share the first.
    [Theory]
    [InlineData(0, "RDT1 RDT2 RDT3 RDT4")]
    [InlineData(1, "RDT1 RDT5 RDT6 RDT7")]
    public void Items_OfAPartition_AreRequestedByTheirThreadAlone(int part, string names) =>
        AssertRequested(SessionPair.Items(9) with { Partition = new ItemPartition(8, 2, 1), Part = part }, names);

    [Fact]
    public void Items_OfAStride_AreRequestedAtEvenDistances() =>
        AssertRequested(SessionPair.Items(9) with { Stride = ItemStride.Of(9, 3, user: 4) }, "RDT2 RDT5 RDT8");

    [Fact]
    public void WithWatchlist_OfAPart_SubscribesToItsItems() => AssertRequested(
        (SessionPair.Items(9) with { Partition = new ItemPartition(8, 2, 1), Part = 1 }).WithWatchlist(), "RDT1 RDT5 RDT6 RDT7");

    private void AssertRequested(ConsumerSessionOptions options, string names)
    {
        string[] expected = [.. names.Split(' ').Select((name, item) => $"refresh {item} {name} Success")];
        using SessionPair pair = new(new ProviderLog(), _log, options);
        pair.Until(() => _log.Lines.Count > expected.Length);
        Assert.Equal(["ready", .. expected], _log.Lines);
        Assert.Equal((expected.Length, (long)expected.Length),
            (pair.Consumer.ItemCount, pair.Client.Recording.Counters[Counter.RequestsSent]));
    }
}
