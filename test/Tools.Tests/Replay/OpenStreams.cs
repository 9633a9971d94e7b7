using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>The item streams a client has open at a provider that follows domains.md 5.5.</summary>
internal sealed class OpenStreams
{
    private readonly Dictionary<int, string> _keys = [];

    /// <summary>True when the request's stream is open with another key.</summary>
    public bool HasOtherKey(Said request) => _keys.TryGetValue(request.StreamId, out string? key) && key != request.Key;

    /// <summary>True when the request's key is open on another stream.</summary>
    public bool HasElsewhere(Said request) => !_keys.ContainsKey(request.StreamId) && _keys.ContainsValue(request.Key);

    /// <summary>Notes a request that the provider answers with an image.</summary>
    public void Open(Said request)
    {
        if ((request.Flags & RequestFlags.Streaming) != 0)
            _keys[request.StreamId] = request.Key;
    }

    /// <summary>Notes a close.</summary>
    public void Close(Said message) => _keys.Remove(message.StreamId);
}
