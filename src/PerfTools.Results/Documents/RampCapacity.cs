using System.Globalization;
using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>The capacity that a ramp found: its last step before the first faulty one.</summary>
/// <param name="Step">Number of the step, from 1.</param>
/// <param name="Users">Users of the step.</param>
/// <param name="MeanMicros">Mean latency of the step, in microseconds; null without samples.</param>
/// <param name="Limit">
/// Why the hub may hold more: the ramp ended there, or the next step says nothing about the hub. Null where the next step was too much for it.
/// </param>
public sealed record RampCapacity(int Step, int Users, double? MeanMicros, string? Limit)
{
    private const string NoFurtherStep = "no further step was run";

    /// <summary>True when the hub may hold more.</summary>
    [JsonIgnore]
    public bool IsAtLeast => Limit is not null;

    /// <summary>Finds the capacity of a ramp.</summary>
    /// <param name="steps">The steps of a ramp.</param>
    /// <param name="isKept">False for a step that misses a threshold of the ramp.</param>
    /// <returns>Null when the first step is faulty.</returns>
    public static RampCapacity? Find(IReadOnlyList<StepRow> steps, Func<StepRow, bool> isKept)
    {
        StepRow? last = steps.TakeWhile(step => step.IsOk && isKept(step)).LastOrDefault();
        if (last is null)
            return null;
        StepRow? next = steps.SkipWhile(step => step != last).Skip(1).FirstOrDefault();
        return new(last.Step, last.UsersAsked, last.MeanMicros, next is null ? NoFurtherStep : next.Disturbance);
    }

    /// <summary>Describes the users, and why there may be more.</summary>
    public string DescribeUsers() => string.Create(CultureInfo.InvariantCulture,
        $"{(IsAtLeast ? "at least " : "")}{Users:N0} users{(Limit is null ? "" : $" ({Limit})")}");

    /// <summary>Formats the end of a line.</summary>
    public string Describe() => $"capacity: {DescribeUsers()}, mean {StepRow.Millis(MeanMicros)} ms";
}
