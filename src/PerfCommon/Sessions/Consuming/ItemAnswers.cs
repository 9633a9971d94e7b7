namespace PerfCommon.Sessions;

/// <summary>Tracks which of a consumer's requested items were answered, by a refresh or a status. One owner thread.</summary>
/// <param name="items">Number of items to track.</param>
internal sealed class ItemAnswers(int items)
{
    private bool[] _isAnswered = new bool[items];
    private int _requestedTogether;
    private int _answered;

    /// <summary>Number of items that can be tracked.</summary>
    public int Room => _isAnswered.Length;

    /// <summary>Number of requests for items, repeated ones included.</summary>
    public int Requested { get; private set; }

    /// <summary>True while answers are missing.</summary>
    public bool IsWaiting => _answered < Requested;

    /// <summary>Resets it to no requests.</summary>
    public void Clear()
    {
        Array.Clear(_isAnswered);
        (Requested, _requestedTogether, _answered) = (0, 0, 0);
    }

    /// <summary>Sets the number of items requested separately.</summary>
    public void SetRequests(int requests) => Requested = requests + _requestedTogether;

    /// <summary>Adds the items of a batch.</summary>
    public void AddBatch(int count)
    {
        _requestedTogether += count;
        Requested += count;
    }

    public bool IsAnswered(int item) => _isAnswered[item];

    /// <summary>Records an answer.</summary>
    /// <returns>False when the item was answered before.</returns>
    public bool TryRecord(int item)
    {
        if (_isAnswered[item])
            return false;
        _isAnswered[item] = true;
        _answered++;
        return true;
    }

    /// <summary>Expects a separate answer to the item's next request.</summary>
    public void Forget(int item)
    {
        if (!_isAnswered[item])
            _answered++;
        _isAnswered[item] = false;
    }

    /// <summary>Stops waiting for the item.</summary>
    public void Remove(int item) => _isAnswered[item] = false;

    /// <summary>Reserves memory for a number of items.</summary>
    public void Grow(int count)
    {
        if (_isAnswered.Length < count)
            Array.Resize(ref _isAnswered, Math.Max(count, _isAnswered.Length * 2));
    }
}
