namespace PerfTools.Scenarios;

/// <summary>One side of a scenario.</summary>
/// <param name="Role">What messages call it.</param>
/// <param name="Program">The program, without its extension.</param>
/// <param name="FileStem">The first part of the names of its files in the run's folder.</param>
internal sealed record RolePlan(string Role, string Program, string FileStem)
{
    /// <summary>Its stdout and stderr.</summary>
    public string LogFile => FileStem + ".log";

    /// <summary>Its figures, one JSON object a line.</summary>
    public string JsonFile => FileStem + ".jsonl";
}
