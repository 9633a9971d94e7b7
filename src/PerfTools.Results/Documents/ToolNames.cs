namespace PerfTools.Results.Documents;

/// <summary>Programs whose results are combined, as run.json names them.</summary>
internal static class ToolNames
{
    public const string Hub = "HubPerf";
    public const string Source = "NIProvPerf";
    public const string Users = "UsersPerf";
}
