using PerfCommon.Domains;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>The states of one connection's items: image received, lost, recovered. One owner thread.</summary>
/// <param name="count">Number of items.</param>
/// <param name="recording">Counts them, and receives a notice when all items were lost and the last of them has recovered.</param>
internal sealed class ConsumerItems(int count, WorkerRecording recording)
{
    private readonly State[] _states = new State[count];
    private int _lost; // at present
    private bool _wereAllLost; // and not all have recovered

    private enum State : byte
    {
        Missing,
        Good,
        Lost, // it had its image
        Over, // a snapshot
    }

    /// <summary>Items that have had no image yet.</summary>
    public int Missing { get; private set; } = count;

    /// <summary>True until an item's snapshot has arrived: after it nothing more can happen to the item.</summary>
    public bool IsOpen(int item) => _states[item] != State.Over;

    /// <summary>True for an item that had its image and is suspect or closed now.</summary>
    public bool IsLost(int item) => _states[item] == State.Lost;

    /// <summary>Records an image.</summary>
    /// <param name="item">Number of the item.</param>
    /// <param name="isLast">True when nothing follows it: a snapshot.</param>
    public void RecordImage(int item, bool isLast)
    {
        RecordGood(item);
        if (_states[item] != State.Missing)
            return;
        _states[item] = isLast ? State.Over : State.Good;
        recording.Counters.Add(Counter.ItemsWithRefresh, 1);
        Missing--;
    }

    /// <summary>Records that an item is suspect or closed: it is lost when it had its image.</summary>
    public void RecordLoss(int item)
    {
        if (_states[item] != State.Good)
            return;
        _states[item] = State.Lost;
        recording.Counters.Add(Counter.ItemsLost, 1);
        _wereAllLost |= ++_lost == _states.Length;
    }

    /// <summary>Records that an item's data are good: it is recovered when it was lost.</summary>
    public void RecordGood(int item)
    {
        if (_states[item] != State.Lost)
            return;
        _states[item] = State.Good;
        recording.Counters.Add(Counter.ItemsRecovered, 1);
        if (--_lost > 0 || !_wereAllLost)
            return;
        _wereAllLost = false;
        recording.Report(ConsumerNotices.AllBack, _states.Length);
    }

    /// <summary>Records the change of state that a message made; images are recorded by <see cref="RecordImage"/>.</summary>
    public void Record(int item, ItemChange change)
    {
        if (change is ItemChange.Suspect or ItemChange.Closed)
            RecordLoss(item);
        else if (change == ItemChange.Good)
            RecordGood(item);
    }
}
