using PerfTools.Hosting.Running;

namespace HubPerf;

/// <summary>What the system allows the hub: each connection is a file.</summary>
internal static class HubLimits
{
    /// <inheritdoc cref="ServerFiles.Fit(PerfTools.Hosting.Options.ConnectionOptions, int, long?)"/>
    public static HubPerfOptions Apply(HubPerfOptions options, long? maxFiles) =>
        options with { Connection = ServerFiles.Fit(options.Connection, HubPerfOptions.DefaultMaxConnections, maxFiles) };
}
