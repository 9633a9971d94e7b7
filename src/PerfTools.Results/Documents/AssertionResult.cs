namespace PerfTools.Results.Documents;

/// <summary>The result of one threshold, as run.json has it.</summary>
public sealed record AssertionResult
{
    /// <summary>The threshold as it was typed.</summary>
    public required string Assertion { get; init; }

    /// <summary>True when it was kept.</summary>
    public required bool Kept { get; init; }

    /// <summary>Times in microseconds; null when nothing was measured, or too few samples.</summary>
    public required double? Figure { get; init; }

    /// <summary>The result as a human-readable line.</summary>
    public required string Line { get; init; }
}
