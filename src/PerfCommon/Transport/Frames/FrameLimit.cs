namespace PerfCommon.Transport;

/// <summary>Limits the queued frames of one channel: the guaranteed ones, and those borrowed from the shared ones of a server's channels.</summary>
/// <remarks>For the channel's owner. Used when the channel has exhausted its limit, and when everything was sent: never per message.</remarks>
internal sealed class FrameLimit
{
    private const int BuffersAtOnce = 16; // borrowed from the shared ones

    private readonly SharedBuffers? _shared; // null: up to the maximum without borrowing
    private int _guaranteed;
    private int _max;
    private int _borrowed;

    public FrameLimit(ChannelOptions options, SharedBuffers? shared)
    {
        _shared = shared;
        _guaranteed = Math.Max(1, shared is null ? options.OutputBufferLimit : options.OutputBuffers);
        _max = options.OutputBufferLimit;
    }

    /// <summary>Current maximum of queued frames.</summary>
    public int Limit => _shared is null ? Max : _guaranteed + _borrowed;

    /// <summary>True while it has borrowed buffers that others might need.</summary>
    public bool HasBorrowed => _borrowed > 0;

    /// <summary>Frames that may be queued regardless of other channels; the maximum is not lower.</summary>
    public int Guaranteed
    {
        get => _guaranteed;
        set
        {
            _guaranteed = value;
            Return(_borrowed - (Max - value));
        }
    }

    /// <summary>Maximum frames that may be queued.</summary>
    public int Max
    {
        get => Math.Max(_max, _guaranteed);
        set
        {
            _max = value;
            Return(_borrowed - (Max - _guaranteed));
        }
    }

    /// <summary>Borrows some of the shared ones, a few more than needed.</summary>
    /// <param name="wanted">Number needed beyond the limit.</param>
    /// <returns>True when the limit has changed.</returns>
    public bool TryBorrow(int wanted)
    {
        int taken = _shared?.Rent(Math.Min(Math.Max(wanted, BuffersAtOnce), Max - Limit)) ?? 0;
        _borrowed += taken;
        return taken > 0;
    }

    /// <summary>Returns borrowed buffers that are not needed any more.</summary>
    /// <param name="framesInUse">Frames that are still queued.</param>
    public void ReturnUnneeded(int framesInUse)
    {
        if (framesInUse <= _guaranteed)
            Return(_borrowed);
    }

    private void Return(int count)
    {
        if (_shared is null || count <= 0)
            return;
        count = Math.Min(count, _borrowed);
        _borrowed -= count;
        _shared.Return(count);
    }
}
