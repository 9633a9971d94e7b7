namespace PerfTools.Scenarios;

/// <summary>The load of TransportPerf: the size of its messages and the number of its connections.</summary>
internal sealed record TransportLoad
{
    /// <summary>The maximum number of connections of the client.</summary>
    public const int MaxConnections = 10_000;

    /// <summary>The bytes of a message. <c>--size</c></summary>
    public int MessageBytes { get; init; } = 76;

    /// <summary>The number of connections of the client. <c>--connections</c></summary>
    public int Connections { get; init; } = 1;
}
