namespace PerfCommon.Transport;

/// <summary>A descriptor that other threads make readable to end a wait. Closing and setting it exclude each other.</summary>
internal sealed class WakeEvent : IDisposable
{
    private readonly Lock _gate = new();
    private bool _isClosed;

    /// <exception cref="IOException">The system provides none.</exception>
    public WakeEvent()
    {
        Descriptor = Libc.CreateEvent();
        if (Descriptor < 0)
            throw new IOException("the system gives no event descriptor");
    }

    public int Descriptor { get; }

    public void Set()
    {
        lock (_gate)
        {
            if (!_isClosed)
                Libc.SetEvent(Descriptor);
        }
    }

    public void Reset() => Libc.ResetEvent(Descriptor);

    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isClosed)
                _ = Libc.Close(Descriptor);
            _isClosed = true;
        }
    }
}
