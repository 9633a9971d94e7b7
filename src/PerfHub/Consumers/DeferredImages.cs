namespace PerfHub.Consumers;

/// <summary>
/// The streams of a connection whose images are deferred, because too many bytes were queued for the consumer when they arrived. They receive no
/// update before the image: it will contain the values.
/// </summary>
internal sealed class DeferredImages
{
    private readonly Queue<int> _toRequest = new(); // may still contain streams that have ended
    private readonly HashSet<int> _queued = [];
    private readonly Dictionary<int, bool> _deferred = []; // by stream: whether it is an answer

    /// <summary>Number of streams with a deferred image.</summary>
    public int Count => _deferred.Count;

    /// <summary>True while images are to be requested from the cache.</summary>
    public bool HasToRequest => _toRequest.Count > 0;

    public bool Contains(int streamId) => _deferred.ContainsKey(streamId);

    /// <summary>Defers an image.</summary>
    public void Add(int streamId, bool isAnswer)
    {
        _deferred[streamId] = isAnswer || _deferred.GetValueOrDefault(streamId);
        if (_queued.Add(streamId))
            _toRequest.Enqueue(streamId);
    }

    /// <summary>Removes a stream: its image was sent, or it has ended.</summary>
    public void Remove(int streamId)
    {
        if (!_deferred.Remove(streamId) || _deferred.Count > 0)
            return;
        _toRequest.Clear();
        _queued.Clear();
    }

    /// <summary>Dequeues the next stream whose image is requested from the cache.</summary>
    public bool TryDequeueNext(out int streamId, out bool isAnswer)
    {
        while (_toRequest.TryDequeue(out streamId))
        {
            _queued.Remove(streamId);
            if (_deferred.TryGetValue(streamId, out isAnswer))
                return true;
        }

        isAnswer = false;
        return false;
    }
}
