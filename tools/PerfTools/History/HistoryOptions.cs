using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.History;

/// <summary>The options of <c>perftools history</c>. Immutable; vary it with <c>with</c>.</summary>
internal sealed record HistoryOptions
{
    /// <summary>The file for the page; null for the default path. <c>--html</c></summary>
    public string? Html { get; init; }

    /// <summary>The file for the figures of every run; null for the default path. <c>--csv</c></summary>
    public string? Csv { get; init; }

    /// <summary>The file for a test case per figure of each series. <c>--junit</c></summary>
    public string? JUnit { get; init; }

    /// <summary>True to fail when the latest level of a figure is worse than the one before. <c>--fail</c></summary>
    public bool Fails { get; init; }

    /// <summary>The number of newest runs to use of each series; null for all. <c>--last</c></summary>
    public int? Last { get; init; }

    /// <summary>The runs to keep; null for all. <c>--keep</c></summary>
    public RetainedRuns? Keep { get; init; }

    public static OptionTable<HistoryOptions> CreateTable()
    {
        OptionTable<HistoryOptions> table = new("perftools history", new HistoryOptions(),
            o => o.Last is < 1 ? "--last must be at least 1" : null)
        { HasLongNames = true };
        table.Text("-html", "file", "the page (default history.html in the folder)", o => o.Html, (o, v) => o with { Html = v });
        table.Text("-csv", "file", "every figure of every run (default history.csv in the folder)", o => o.Csv, (o, v) => o with { Csv = v });
        table.Text("-junit", "file", "a JUnit test case for each figure of each series", o => o.JUnit, (o, v) => o with { JUnit = v });
        table.Switch("-fail", "exit code 6 when a figure changed for the worse and has not recovered", o => o.Fails,
            (o, v) => o with { Fails = v });
        table.OptionalNumber("-last", "n", "only the newest n runs of each series", o => o.Last, (o, v) => o with { Last = v });
        table.Custom("-keep", "amount", RetainedRuns.Kind, "first delete run folders, all but the newest n or the last days (30d)",
            o => o.Keep?.ToString(), (o, s) => RetainedRuns.TryParse(s) is { } v ? o with { Keep = v } : null);
        return table;
    }
}

/// <summary>The runs to keep: a number of the newest, or those of the last days.</summary>
/// <param name="Count">The number.</param>
/// <param name="IsDays">True when the number is of days.</param>
internal sealed record RetainedRuns(int Count, bool IsDays)
{
    /// <summary>The description of valid values, after "is not".</summary>
    public const string Kind = "a number of runs from 1, such as 50, or of days, such as 30d";

    private const char DaysMark = 'd';
    private const int MaxDays = 36_600;

    /// <summary>Parses the value of the option; null for other text.</summary>
    public static RetainedRuns? TryParse(string text)
    {
        bool isDays = text.EndsWith(DaysMark);
        return int.TryParse(isDays ? text[..^1] : text, NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            && count >= 1 && (!isDays || count <= MaxDays) ? new(count, isDays) : null;
    }

    /// <summary>Finds the runs that are not kept, the oldest first.</summary>
    public IEnumerable<T> FindOthers<T>(IEnumerable<T> runs, Func<T, DateTime> startOf, DateTime nowUtc)
    {
        T[] sorted = [.. runs.OrderBy(startOf)];
        return IsDays ? sorted.TakeWhile(run => startOf(run) < nowUtc.AddDays(-Count)) : sorted.SkipLast(Count);
    }

    /// <summary>The value as the user types it.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Count}{(IsDays ? "d" : "")}");
}
