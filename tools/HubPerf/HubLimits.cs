using PerfTools.Hosting.Running;

namespace HubPerf;

/// <summary>Checks the system's limits for the hub: each connection needs one file descriptor.</summary>
internal static class HubLimits
{
    /// <inheritdoc cref="ServerFiles.Fit(PerfTools.Hosting.Options.ConnectionOptions, int, long?)"/>
    public static HubPerfOptions Apply(HubPerfOptions options, long? maxFiles) =>
        options with { Connection = ServerFiles.Fit(options.Connection, HubPerfOptions.DefaultMaxConnections, maxFiles) };
}
