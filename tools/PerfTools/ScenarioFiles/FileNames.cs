namespace PerfTools.ScenarioFiles;

/// <summary>The names of the members of a scenario file (docs/scenario-files.md, docs/scenario.schema.json).</summary>
internal static class FileNames
{
    public const string Schema = "$schema";
    public const string Name = "name";
    public const string Summary = "summary";
    public const string Runs = "runs";
    public const string Matrix = "matrix";
    public const string Scenario = "scenario";
    public const string Options = "options";
    public const string Roles = "roles";
    public const string Assert = "assert";
    public const string Arguments = "arguments";
    public const string External = "external";
    public const string Tool = "tool";
    public const string Edition = "edition";

    /// <summary>The members of a file with one run.</summary>
    public static IReadOnlyList<string> OfFile { get; } = [Schema, Name, Summary, Scenario, Options, Roles, Assert, Matrix, Runs];

    /// <summary>The members that a file has next to its list of runs.</summary>
    public static IReadOnlyList<string> BesideRuns { get; } = [Schema, Name, Summary, Matrix, Runs];

    /// <summary>The members of an entry of the list of runs.</summary>
    public static IReadOnlyList<string> OfRun { get; } = [Name, Scenario, Options, Roles, Assert];

    /// <summary>The members of a role.</summary>
    public static IReadOnlyList<string> OfRole { get; } = [Arguments, External, Tool, Edition];
}
