namespace Mutation;

/// <summary>One small fault.</summary>
/// <param name="Id">Its number, from 1, which activates it.</param>
/// <param name="Path">The source, within the repository.</param>
/// <param name="Line">From 1.</param>
/// <param name="Operator">Its kind.</param>
/// <param name="Before">The text that it replaces, on one line.</param>
/// <param name="After">The replacement text.</param>
/// <param name="Source">The whole line.</param>
internal sealed record Mutant(int Id, string Path, int Line, string Operator, string Before, string After, string Source)
{
    /// <summary>Identifies it in the list of equivalent mutants, since lines move.</summary>
    public string Key => $"{Path}\t{Operator}\t{Source}\t{After}";

    public override string ToString() => $"{Path}:{Line}  {Operator}  `{Before}` -> `{After}`";
}
