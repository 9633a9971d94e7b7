using PerfTools.Scenarios;

namespace PerfTools.Results;

/// <summary>Puts <c>run.json</c> into the run's folder.</summary>
internal static class RunFile
{
    /// <summary>The file's name.</summary>
    public const string Name = "run.json";

    /// <summary>Writes the file.</summary>
    /// <returns>Why it could not be written; null when it was.</returns>
    public static string? TryWrite(RunFolder directory, Scenario scenario, ScenarioOptions options, RunResult outcome)
    {
        string path = directory.PathOf(Name);
        try
        {
            File.WriteAllText(path, RunJson.Create(scenario.Name, scenario.DescribeInputs(options), outcome));
            return null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return $"{path}: {error.Message}";
        }
    }
}
