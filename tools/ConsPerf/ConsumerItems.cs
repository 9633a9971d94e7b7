using PerfCommon.Domains;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>What the items of one connection came to: their image, its loss and return. One owner thread.</summary>
/// <param name="count">How many items.</param>
/// <param name="counters">Where it is counted.</param>
/// <param name="notices">Gets a sentence when all items were lost and the last of them is back.</param>
internal sealed class ConsumerItems(int count, CounterSet counters, RunNotices notices)
{
    private readonly State[] _states = new State[count];
    private int _lost; // now
    private bool _wereAllLost; // and not all are back

    private enum State : byte
    {
        Missing,
        Good,
        Lost, // it had its image
        Over, // a snapshot
    }

    /// <summary>Items that have had no image yet.</summary>
    public int Missing { get; private set; } = count;

    /// <summary>False for a snapshot that is here: nothing can happen to it any more.</summary>
    public bool IsOpen(int item) => _states[item] != State.Over;

    /// <summary>True for one that had its image and is suspect or closed now.</summary>
    public bool IsLost(int item) => _states[item] == State.Lost;

    /// <summary>Notes an image.</summary>
    /// <param name="item">Of which item.</param>
    /// <param name="isLast">True when nothing follows it: a snapshot.</param>
    public void NoteImage(int item, bool isLast)
    {
        NoteGood(item);
        if (_states[item] != State.Missing)
            return;
        _states[item] = isLast ? State.Over : State.Good;
        counters.Add(Counter.ItemsWithRefresh, 1);
        Missing--;
    }

    /// <summary>Notes that an item is suspect or closed: lost, when it had its image.</summary>
    public void NoteLoss(int item)
    {
        if (_states[item] != State.Good)
            return;
        _states[item] = State.Lost;
        counters.Add(Counter.ItemsLost, 1);
        _wereAllLost |= ++_lost == _states.Length;
    }

    /// <summary>Notes that an item's data are good: recovered, when it was lost.</summary>
    public void NoteGood(int item)
    {
        if (_states[item] != State.Lost)
            return;
        _states[item] = State.Good;
        counters.Add(Counter.ItemsRecovered, 1);
        if (--_lost > 0 || !_wereAllLost)
            return;
        _wereAllLost = false;
        notices.Add($"All {_states.Length} items are back.");
    }

    /// <summary>Notes what a message changed; images are <see cref="NoteImage"/>'s.</summary>
    public void Note(int item, ItemChange change)
    {
        if (change is ItemChange.Suspect or ItemChange.Closed)
            NoteLoss(item);
        else if (change == ItemChange.Good)
            NoteGood(item);
    }
}
