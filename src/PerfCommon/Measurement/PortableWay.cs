namespace PerfCommon.Measurement;

/// <summary>Whether Linux is used as any other system is, so that what those do can be tried here.</summary>
internal static class PortableWay
{
    private const string Setting = "PERFTOOLS_PORTABLE";

    /// <summary>True where PERFTOOLS_PORTABLE is 1.</summary>
    public static bool IsAsked { get; } = Environment.GetEnvironmentVariable(Setting) == "1";
}
