namespace PerfHub.Consumers;

/// <summary>
/// The streams of a connection that are owed an image: it came while too much waited for the reader. They get no update before it: it will
/// have them.
/// </summary>
internal sealed class ImagesPutOff
{
    private readonly Queue<int> _toAsk = new(); // streams that are over may still be among them
    private readonly HashSet<int> _queued = [];
    private readonly Dictionary<int, bool> _owed = []; // by stream: whether it is an answer

    /// <summary>Streams that are owed one.</summary>
    public int Count => _owed.Count;

    /// <summary>True while images are to be asked of the cache.</summary>
    public bool HasToAsk => _toAsk.Count > 0;

    public bool Owes(int streamId) => _owed.ContainsKey(streamId);

    /// <summary>Puts an image off.</summary>
    public void Add(int streamId, bool isAnswer)
    {
        _owed[streamId] = isAnswer || _owed.GetValueOrDefault(streamId);
        if (_queued.Add(streamId))
            _toAsk.Enqueue(streamId);
    }

    /// <summary>The image went out, or the stream is over.</summary>
    public void Remove(int streamId)
    {
        if (!_owed.Remove(streamId) || _owed.Count > 0)
            return;
        _toAsk.Clear();
        _queued.Clear();
    }

    /// <summary>The next stream for which the cache is asked.</summary>
    public bool TryTakeNext(out int streamId, out bool isAnswer)
    {
        while (_toAsk.TryDequeue(out streamId))
        {
            _queued.Remove(streamId);
            if (_owed.TryGetValue(streamId, out isAnswer))
                return true;
        }

        isAnswer = false;
        return false;
    }
}
