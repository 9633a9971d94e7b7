using PerfTools.Hosting.Reporting;

namespace PerfTools.Processes;

/// <summary>What metrics and traces say of the run that they are of, as attributes of OpenTelemetry.</summary>
internal static class RunAttributes
{
    /// <summary>The run, by the name of its folder, and its scenario.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(string folder, string scenario) =>
    [
        (RunLabels.Namespace + "run", Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)))),
        (RunLabels.Namespace + "scenario", scenario),
    ];

    /// <summary>The same with a role.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(string folder, string scenario, string role) =>
        [.. Of(folder, scenario), (RunLabels.Namespace + "role", role)];

    /// <summary>The text of the variable by which a program hears them, behind what this process has there.</summary>
    public static string Write(IReadOnlyList<(string Name, string Value)> attributes) =>
        Environment.GetEnvironmentVariable(RunLabels.Variable) is { Length: > 0 } given
            ? $"{given},{RunLabels.Write(attributes)}" : RunLabels.Write(attributes);
}
