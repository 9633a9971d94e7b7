using PerfTools.Hosting.Reporting;

namespace PerfTools.Processes;

/// <summary>The attributes of OpenTelemetry by which metrics and traces name their run.</summary>
internal static class RunAttributes
{
    /// <summary>The attributes of a run: the name of its folder, and its scenario.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(string folder, string scenario) =>
    [
        (RunLabels.Namespace + "run", Path.GetFileName(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)))),
        (RunLabels.Namespace + "scenario", scenario),
    ];

    /// <summary>The same with a role.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(string folder, string scenario, string role) =>
        [.. Of(folder, scenario), (RunLabels.Namespace + "role", role)];

    /// <summary>Writes the variable that carries them to a program, after the attributes that this process has there.</summary>
    public static string Write(IReadOnlyList<(string Name, string Value)> attributes) =>
        Environment.GetEnvironmentVariable(RunLabels.Variable) is { Length: > 0 } given
            ? $"{given},{RunLabels.Write(attributes)}" : RunLabels.Write(attributes);
}
