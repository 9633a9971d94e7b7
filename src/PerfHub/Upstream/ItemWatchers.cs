using System.Runtime.CompilerServices;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>The number of an item's watchers, in all session threads and in each.</summary>
internal struct ItemWatchers
{
    private ThreadCounts _byThread;

    /// <summary>Number of all.</summary>
    public int Count { get; private set; }

    /// <summary>Adds one.</summary>
    /// <returns>True for the first of its thread.</returns>
    public bool Add(int consumerIndex)
    {
        Count++;
        return _byThread[consumerIndex]++ == 0;
    }

    /// <summary>Removes one.</summary>
    /// <returns>True for the last of its thread.</returns>
    public bool Remove(int consumerIndex)
    {
        Count--;
        return --_byThread[consumerIndex] == 0;
    }

    /// <summary>Changes the number by watchers of a form of the item, which the form counts by threads.</summary>
    public void CountOfForm(int change) => Count += change;

    [InlineArray(ThreadLimits.MaxThreads)]
    private struct ThreadCounts
    {
        private int _count;
    }
}
