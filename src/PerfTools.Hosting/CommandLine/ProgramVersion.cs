using System.Reflection;

namespace PerfTools.Hosting.CommandLine;

/// <summary>The version of a program, as <c>-version</c> prints it.</summary>
internal static class ProgramVersion
{
    /// <summary>The version without what the build adds behind a plus sign.</summary>
    public static string? Of(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? assembly.GetName().Version?.ToString();
}
