using System.Globalization;
using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>What a ramp held: its last step before the first that is not well.</summary>
/// <param name="Step">Number of the step, from 1.</param>
/// <param name="Users">Its users.</param>
/// <param name="MeanMicros">Its mean latency, in microseconds; null without samples.</param>
/// <param name="Limit">Why the hub may hold more: the ramp ended there, or the step after it says nothing of the hub. Null where that step was too much for it.</param>
public sealed record RampCapacity(int Step, int Users, double? MeanMicros, string? Limit)
{
    private const string NoFurtherStep = "no further step was run";

    /// <summary>True when the hub may hold more.</summary>
    [JsonIgnore]
    public bool IsAtLeast => Limit is not null;

    /// <summary>Finds it.</summary>
    /// <param name="steps">The steps of a ramp.</param>
    /// <param name="isKept">False for a step that misses what ends the ramp.</param>
    /// <returns>Null when the first step is not well.</returns>
    public static RampCapacity? Find(IReadOnlyList<StepRow> steps, Func<StepRow, bool> isKept)
    {
        StepRow? last = steps.TakeWhile(step => step.IsOk && isKept(step)).LastOrDefault();
        if (last is null)
            return null;
        StepRow? next = steps.SkipWhile(step => step != last).Skip(1).FirstOrDefault();
        return new(last.Step, last.UsersAsked, last.MeanMicros, next is null ? NoFurtherStep : next.Disturbance);
    }

    /// <summary>The users, and why there may be more.</summary>
    public string DescribeUsers() => string.Create(CultureInfo.InvariantCulture,
        $"{(IsAtLeast ? "at least " : "")}{Users:N0} users{(Limit is null ? "" : $" ({Limit})")}");

    /// <summary>The end of a line.</summary>
    public string Describe() => $"capacity: {DescribeUsers()}, mean {StepRow.Millis(MeanMicros)} ms";
}
