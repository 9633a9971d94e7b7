namespace PerfCommon.Sessions;

/// <summary>Which of the items that a consumer asked for were answered, by a refresh or a status. One owner thread.</summary>
/// <param name="items">Items that there is room for.</param>
internal sealed class ItemAnswers(int items)
{
    private bool[] _isAnswered = new bool[items];
    private int _askedTogether;
    private int _answered;

    /// <summary>Items that there is room for.</summary>
    public int Room => _isAnswered.Length;

    /// <summary>Items that were asked for, each as often as that was done.</summary>
    public int Asked { get; private set; }

    /// <summary>True while answers are still to come.</summary>
    public bool IsWaiting => _answered < Asked;

    /// <summary>Nothing was asked for yet.</summary>
    public void Clear()
    {
        Array.Clear(_isAnswered);
        (Asked, _askedTogether, _answered) = (0, 0, 0);
    }

    /// <summary>Says how many were asked for by a request each.</summary>
    public void NoteRequests(int requests) => Asked = requests + _askedTogether;

    /// <summary>Adds those of a batch.</summary>
    public void NoteBatch(int count)
    {
        _askedTogether += count;
        Asked += count;
    }

    public bool IsAnswered(int item) => _isAnswered[item];

    /// <summary>Notes an answer.</summary>
    /// <returns>False when the item had one.</returns>
    public bool TryNote(int item)
    {
        if (_isAnswered[item])
            return false;
        _isAnswered[item] = true;
        _answered++;
        return true;
    }

    /// <summary>The next request of the item waits for an answer of its own.</summary>
    public void Forget(int item)
    {
        if (!_isAnswered[item])
            _answered++;
        _isAnswered[item] = false;
    }

    /// <summary>Nobody waits for the item any more.</summary>
    public void Remove(int item) => _isAnswered[item] = false;

    /// <summary>Makes room.</summary>
    public void Grow(int count)
    {
        if (_isAnswered.Length < count)
            Array.Resize(ref _isAnswered, Math.Max(count, _isAnswered.Length * 2));
    }
}
