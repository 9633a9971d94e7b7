using System.Net.Sockets;

namespace PerfCommon.Transport;

/// <summary>One end of a connection that a waiter can wait for.</summary>
internal abstract class WaitSource
{
    /// <summary>The socket to wait for; null where there is none, as in memory.</summary>
    public virtual Socket? Socket => null;
}
