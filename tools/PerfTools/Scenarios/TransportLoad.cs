namespace PerfTools.Scenarios;

/// <summary>What TransportPerf sends, over how many connections.</summary>
internal sealed record TransportLoad
{
    /// <summary>Most connections of the client.</summary>
    public const int MaxConnections = 10_000;

    /// <summary>Bytes of a message. <c>--size</c></summary>
    public int MessageBytes { get; init; } = 76;

    /// <summary>Connections of the client. <c>--connections</c></summary>
    public int Connections { get; init; } = 1;
}
