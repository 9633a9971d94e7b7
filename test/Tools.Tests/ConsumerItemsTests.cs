using ConsPerf;
using PerfCommon.Domains;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>The states of a connection's items, and the notice that all are back.</summary>
[Trait("Category", "Fast")]
public sealed class ConsumerItemsTests
{
    private readonly WorkerRecording _recording = new();
    private readonly ConsumerItems _items;

    public ConsumerItemsTests() => _items = new(2, _recording);

    [Fact]
    public void Items_AllLostAndBack_AreToldOnceWithTheLast()
    {
        Begin();
        _items.Record(0, ItemChange.Suspect);
        _items.Record(1, ItemChange.Closed);
        Assert.True(_items.IsLost(0) && _items.IsLost(1));
        _items.Record(0, ItemChange.Good);
        Assert.Empty(Notices());
        _items.RecordImage(1, isLast: false);
        Assert.Contains("2", Assert.Single(Notices()), StringComparison.Ordinal);
        _items.Record(1, ItemChange.Good); // it was not lost
        Assert.Empty(Notices());
        Assert.Equal((2, 2, 2), (Count(Counter.ItemsLost), Count(Counter.ItemsRecovered), Count(Counter.ItemsWithRefresh)));
    }

    [Fact]
    public void Items_SomeLostAndBack_AreNotTold()
    {
        Begin();
        for (int i = 0; i < 3; i++)
        {
            _items.Record(i % 2, ItemChange.Suspect);
            _items.Record(i % 2, ItemChange.Good);
        }

        Assert.Empty(Notices());
        Assert.Equal((3, 3), (Count(Counter.ItemsLost), Count(Counter.ItemsRecovered)));
    }

    [Fact]
    public void Items_WithoutTheirImage_AreNeverLost()
    {
        _items.Record(0, ItemChange.Suspect);
        _items.Record(0, ItemChange.Good);
        Assert.Equal((2, 0, 0), (_items.Missing, Count(Counter.ItemsLost), Count(Counter.ItemsRecovered)));
        Assert.True(_items.IsOpen(0));
    }

    [Fact]
    public void Items_Snapshots_AreOverWithTheirImage()
    {
        _items.RecordImage(0, isLast: true);
        _items.RecordImage(0, isLast: true);
        _items.Record(0, ItemChange.Closed);
        Assert.Equal((1, 1, 0), (_items.Missing, Count(Counter.ItemsWithRefresh), Count(Counter.ItemsLost)));
        Assert.Equal((false, true), (_items.IsOpen(0), _items.IsOpen(1)));
    }

    private void Begin()
    {
        _items.RecordImage(0, isLast: false);
        _items.RecordImage(1, isLast: false);
        Assert.Equal(0, _items.Missing);
    }

    private long Count(Counter counter) => _recording.Counters[counter];

    private List<string> Notices()
    {
        List<string> sentences = [];
        while (_recording.Notices.TryDequeue(out string sentence))
            sentences.Add(sentence);
        return sentences;
    }
}
