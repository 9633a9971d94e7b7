namespace PerfHub.Consumers;

/// <summary>
/// The streams of a connection whose images are deferred, because too many bytes were queued for the consumer when they arrived. They receive no
/// update before the image: it will contain the values.
/// </summary>
internal sealed class ImagesPutOff
{
    private readonly Queue<int> _toAsk = new(); // may still contain streams that have ended
    private readonly HashSet<int> _queued = [];
    private readonly Dictionary<int, bool> _owed = []; // by stream: whether it is an answer

    /// <summary>Number of streams with a deferred image.</summary>
    public int Count => _owed.Count;

    /// <summary>True while images are to be requested from the cache.</summary>
    public bool HasToAsk => _toAsk.Count > 0;

    public bool Owes(int streamId) => _owed.ContainsKey(streamId);

    /// <summary>Defers an image.</summary>
    public void Add(int streamId, bool isAnswer)
    {
        _owed[streamId] = isAnswer || _owed.GetValueOrDefault(streamId);
        if (_queued.Add(streamId))
            _toAsk.Enqueue(streamId);
    }

    /// <summary>Removes a stream: its image was sent, or it has ended.</summary>
    public void Remove(int streamId)
    {
        if (!_owed.Remove(streamId) || _owed.Count > 0)
            return;
        _toAsk.Clear();
        _queued.Clear();
    }

    /// <summary>Dequeues the next stream whose image is requested from the cache.</summary>
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
