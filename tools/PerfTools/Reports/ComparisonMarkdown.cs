using PerfTools.Results.Comparison;
using PerfTools.Screen;

namespace PerfTools.Reports;

/// <summary>Writes a comparison as a table for a pull request.</summary>
internal static class ComparisonMarkdown
{
    public static void Write(TextWriter writer, RunComparison comparison, IReadOnlyList<ChangeLimitResult> limits)
    {
        writer.Write($"**{comparison.Verdict}**{(comparison.Reason is { } reason ? ": " + Markdown.Escape(reason) : "")}\n\n");
        Markdown.WriteTable(
            writer, ["", "A", "B", "change", "noise", ""],
            comparison.Figures.Select(change => (IReadOnlyList<string>)
            [
                change.Figure.Title, ComparisonText.Value(change.A), ComparisonText.Value(change.B), change.ChangeText, change.NoiseText,
                Emphasize(change, ComparisonText.Word(change, comparison.Reason)),
            ]));
        foreach (ChangeLimitResult limit in limits)
            writer.Write($"- {(limit.IsKept ? "kept" : "**missed**")}: {Markdown.Escape(limit.Line)}\n");
        if (limits.Count > 0)
            writer.Write('\n');
        foreach (RunSet side in (RunSet[])[comparison.A, comparison.B])
            writer.Write($"{side.Name}: {Markdown.Escape(side.Shown)} ({side.NoiseText})  \n");
    }

    private static string Emphasize(FigureChange change, string word) =>
        change.Word is ChangeWord.Better or ChangeWord.Worse ? $"**{word}**" : word;
}
