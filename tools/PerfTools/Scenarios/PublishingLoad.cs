namespace PerfTools.Scenarios;

/// <summary>What a hub's publisher sends, and where.</summary>
internal sealed record PublishingLoad
{
    /// <summary>True to start the consumer when the hub has every image. <c>--preload</c></summary>
    public bool Preloads { get; init; }

    /// <summary>The port on which an external hub listens for publishers; null for the guide's port. <c>--ni-port</c></summary>
    public int? PublisherPort { get; init; }

    /// <summary>True when the publisher sends only images. <c>--no-updates</c></summary>
    public bool NoUpdates { get; init; }

    /// <summary>True for a run without a publisher. <c>--no-provider</c></summary>
    public bool NoProvider { get; init; }
}
