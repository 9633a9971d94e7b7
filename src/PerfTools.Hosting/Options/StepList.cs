using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>The number of users after each step: totals that rise.</summary>
internal sealed class StepList
{
    /// <summary>Maximum users of a run.</summary>
    public const int MaxUsers = 1_000_000;

    /// <summary>Maximum steps of a run.</summary>
    public const int MaxSteps = 10_000;

    private readonly string _text;

    private StepList(string text, IReadOnlyList<int> totals) => (_text, Totals) = (text, totals);

    /// <summary>Users at the end of each step, at least one step.</summary>
    public IReadOnlyList<int> Totals { get; }

    /// <summary>
    /// Reads totals and ranges of them, such as <c>250,500</c> or <c>250..5500/250,7500..100000/2500</c>; null for an invalid list, or one that does
    /// not rise.
    /// </summary>
    public static StepList? TryParse(string text)
    {
        List<int> totals = [];
        foreach (string part in text.Split(','))
        {
            if (ReadPart(part.Trim()) is not { } more || totals.Count + more.Count > MaxSteps)
                return null;
            totals.AddRange(more);
        }

        bool rises = totals.Zip(totals.Skip(1)).All(pair => pair.First < pair.Second);
        return rises && totals[0] > 0 && totals[^1] <= MaxUsers ? new(text, totals) : null;
    }

    /// <summary>Returns the text as it was typed.</summary>
    public override string ToString() => _text;

    // 250, or 250..5500/250
    private static List<int>? ReadPart(string part)
    {
        string[] ends = part.Split("..");
        string[] last = ends[^1].Split('/');
        if (ends.Length == 1)
            return TryRead(part, out int total) ? [total] : null;
        bool isRange = ends.Length == 2 && last.Length == 2;
        if (!isRange || !TryRead(ends[0], out int from) || !TryRead(last[0], out int to) || !TryRead(last[1], out int by) || by == 0
            || to < from || (to - from) / by >= MaxSteps)
        {
            return null;
        }

        return [.. Enumerable.Range(0, ((to - from) / by) + 1).Select(i => from + (i * by))];
    }

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= MaxUsers;
}
