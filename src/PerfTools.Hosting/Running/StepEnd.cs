using System.Globalization;

namespace PerfTools.Hosting.Running;

/// <summary>Why a step ended the ramp of a process: the outcome that the process states, and that perftools reads from its final line.</summary>
internal static class StepEnd
{
    private const string Start = "ended by step ";
    private const string BeforeWhy = ": ";

    /// <summary>Describes the end.</summary>
    /// <param name="step">The step, from 1.</param>
    /// <param name="users">Its users over all processes.</param>
    /// <param name="why">What was missed or faulty.</param>
    public static string Describe(int step, int users, string why) =>
        string.Create(CultureInfo.InvariantCulture, $"{Start}{step} with {users} users{BeforeWhy}{why}");

    /// <summary>Returns what was missed or faulty; null when the outcome is another.</summary>
    /// <param name="outcome">The stated outcome.</param>
    /// <param name="step">The step, from 1.</param>
    public static string? FindWhy(string? outcome, int step) =>
        outcome?.StartsWith(string.Create(CultureInfo.InvariantCulture, $"{Start}{step} with "), StringComparison.Ordinal) == true
            && outcome.IndexOf(BeforeWhy, StringComparison.Ordinal) is > 0 and int at ? outcome[(at + BeforeWhy.Length)..] : null;
}
