namespace PerfCommon.Transport.Proxy;

/// <summary>What a channel has learnt about its proxy; outlives a connection.</summary>
internal sealed class ProxyLogin
{
    /// <summary>True when the proxy wants to know who we are.</summary>
    public bool IsAskedFor { get; set; }

    /// <summary>True when the next request must be made on a new connection.</summary>
    public bool WantsReconnect { get; set; }
}
