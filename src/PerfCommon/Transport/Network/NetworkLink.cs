using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>One end of a TCP connection, established or connecting, before bytes are sent over it.</summary>
internal abstract class NetworkLink : WaitSource, IDisposable
{
    /// <summary>The reason why it failed, as a sentence; null until <see cref="Look"/> returned Failed.</summary>
    public abstract string? Failure { get; }

    /// <summary>The address of this end, as text; empty where it has none.</summary>
    public virtual string OwnAddress => "";

    /// <summary>Checks the progress of the connection.</summary>
    /// <param name="isWritable">True when a waiter has found it writable, which completes a connect successfully or not.</param>
    /// <returns>Ready, Wait or Failed.</returns>
    public abstract PipeStatus Look(bool isWritable);

    /// <summary>Configures an accepted connection for its owner.</summary>
    /// <exception cref="SocketException">The peer is gone already.</exception>
    public abstract void Configure(ChannelOptions options);

    /// <summary>Opens the byte pipe of a connection that is ready. The pipe owns the connection from then on.</summary>
    /// <param name="wakeOwner">Makes the owner check it again soon; any thread.</param>
    public abstract BytePipe Open(Action wakeOwner);

    /// <summary>Closes it, also while it is connecting.</summary>
    public abstract void Dispose();
}
