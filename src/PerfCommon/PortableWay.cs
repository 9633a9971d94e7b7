namespace PerfCommon;

/// <summary>Selects whether Linux uses the code of other systems, so that this code can be tested on it.</summary>
internal static class PortableWay
{
    private const string Setting = "PERFTOOLS_PORTABLE";

    /// <summary>True where PERFTOOLS_PORTABLE is 1.</summary>
    public static bool IsRequested { get; } = Environment.GetEnvironmentVariable(Setting) == "1";
}
