using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>One end of a TCP connection, made or being made, before bytes go through it.</summary>
internal abstract class NetworkLink : IDisposable
{
    /// <summary>Why it came to nothing, as a sentence; null until a look said Failed.</summary>
    public abstract string? Failure { get; }

    /// <summary>The address of this end, as text; empty where there is none.</summary>
    public virtual string OwnAddress => "";

    /// <summary>Looks how far the connection is.</summary>
    /// <param name="isWritable">True when a waiter has found it writable, which ends a connect one way or the other.</param>
    /// <returns>Ready, Wait or Failed.</returns>
    public abstract PipeStatus Look(bool isWritable);

    /// <summary>Sets an accepted connection up for its owner.</summary>
    /// <exception cref="SocketException">The peer is gone already.</exception>
    public abstract void Configure(ChannelOptions options);

    /// <summary>The bytes of a connection that is ready. They own it from then on.</summary>
    /// <param name="wakeOwner">Has the owner look again soon; any thread.</param>
    public abstract BytePipe Open(Action wakeOwner);

    /// <summary>Closes it, also while it is being made.</summary>
    public abstract void Dispose();
}
