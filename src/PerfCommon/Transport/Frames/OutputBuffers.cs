namespace PerfCommon.Transport;

/// <summary>How many frames of one channel may wait: the guaranteed ones, and what it has of those that a server's channels share.</summary>
/// <remarks>The channel's owner alone. Asked when the channel has used up what it has, and when everything was sent: never per message.</remarks>
internal sealed class OutputBuffers
{
    private const int BuffersAtOnce = 16; // taken from the shared ones

    private readonly SharedBuffers? _shared; // null: up to the maximum without asking
    private int _guaranteed;
    private int _max;
    private int _borrowed;

    public OutputBuffers(ChannelOptions options, SharedBuffers? shared)
    {
        _shared = shared;
        _guaranteed = Math.Max(1, shared is null ? options.OutputBufferLimit : options.OutputBuffers);
        _max = options.OutputBufferLimit;
    }

    /// <summary>Frames that may wait now.</summary>
    public int Limit => _shared is null ? Max : _guaranteed + _borrowed;

    /// <summary>True while it has some that others might need.</summary>
    public bool HasBorrowed => _borrowed > 0;

    /// <summary>Frames that may wait whatever other channels do; the maximum is at least that.</summary>
    public int Guaranteed
    {
        get => _guaranteed;
        set
        {
            _guaranteed = value;
            Return(_borrowed - (Max - value));
        }
    }

    /// <summary>Most frames that may wait.</summary>
    public int Max
    {
        get => Math.Max(_max, _guaranteed);
        set
        {
            _max = value;
            Return(_borrowed - (Max - _guaranteed));
        }
    }

    /// <summary>Takes some of the shared ones, a few more than are wanted.</summary>
    /// <param name="wanted">How many beyond the limit.</param>
    /// <returns>True when the limit is another now.</returns>
    public bool TryBorrow(int wanted)
    {
        int taken = _shared?.Take(Math.Min(Math.Max(wanted, BuffersAtOnce), Max - Limit)) ?? 0;
        _borrowed += taken;
        return taken > 0;
    }

    /// <summary>Gives back what is not needed any more.</summary>
    /// <param name="framesInUse">Frames that wait still.</param>
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
