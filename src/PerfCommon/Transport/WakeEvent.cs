namespace PerfCommon.Transport;

/// <summary>A descriptor that other threads make readable to end a wait. Closing it and setting it exclude each other.</summary>
internal sealed class WakeEvent : IDisposable
{
    private readonly Lock _gate = new();
    private bool _isClosed;

    /// <exception cref="IOException">When the system gives none.</exception>
    public WakeEvent()
    {
        Descriptor = Libc.CreateEvent();
        if (Descriptor < 0)
            throw new IOException("the system gives no event descriptor");
    }

    public int Descriptor { get; }

    /// <summary>Makes it readable; any thread.</summary>
    public void Set()
    {
        lock (_gate)
        {
            if (!_isClosed)
                Libc.SetEvent(Descriptor);
        }
    }

    /// <summary>Makes it unreadable again.</summary>
    public void Reset() => Libc.ResetEvent(Descriptor);

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isClosed)
                Libc.CloseDescriptor(Descriptor);
            _isClosed = true;
        }
    }
}
