namespace TransportPerf;

/// <summary>What was received and waits to be sent back: one message, or the JSON objects of one array.</summary>
internal sealed class Reflection
{
    private byte[] _bytes = [];
    private int _at;
    private int _end;
    private bool _isJson;

    public bool IsEmpty => _at == _end;

    /// <summary>Messages that are left.</summary>
    public int Count => IsEmpty ? 0 : _isJson ? Rest.Count((byte)'{') : 1;

    /// <summary>The next message to send back.</summary>
    public ReadOnlySpan<byte> Next
    {
        get
        {
            int bytes = _end - _at;
            if (_isJson)
                JsonMessage.TryRead(Rest, out _, out _, out bytes);
            return Rest[..bytes];
        }
    }

    private ReadOnlySpan<byte> Rest => _bytes.AsSpan(_at, _end - _at);

    /// <summary>Keeps a message that was found to be good.</summary>
    public void Keep(ReadOnlySpan<byte> message, bool isJson)
    {
        _isJson = isJson;
        if (isJson)
            message = JsonMessage.InsideArray(message);
        if (_bytes.Length < message.Length)
            _bytes = new byte[Math.Max(message.Length, 2 * _bytes.Length)];
        message.CopyTo(_bytes);
        (_at, _end) = (0, message.Length);
    }

    /// <summary>The next message was sent.</summary>
    /// <param name="bytes">Its length.</param>
    public void Drop(int bytes)
    {
        // objects are separated by one comma
        int next = _at + bytes + (_isJson ? 1 : 0);
        _at = Math.Min(next, _end);
    }
}
