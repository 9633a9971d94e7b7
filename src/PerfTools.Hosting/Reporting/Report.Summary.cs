using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

internal sealed partial class Report
{
    /// <summary>Writes the summary: each worker when there are several, then all together.</summary>
    public void WriteSummary(TextWriter writer, RunSummary summary)
    {
        for (int i = 0; i < summary.Threads.Count && summary.Threads.Count > 1; i++)
            WriteFigures(writer, Format(table.SummaryThread, i + 1), summary.Threads[i], null);
        WriteFigures(writer, "OVERALL", summary.Overall, summary);
        foreach (string connection in DescribeSlowest(summary.Connections))
            writer.Line($"  {connection}");
        if (summary.Outcome.NotComparableReason is { } reason)
            writer.Line($"  Message counts: not comparable ({PrintableText.From(reason)})");
        foreach (string note in summary.Notes)
            writer.Line($"  {note}");
        foreach (ThresholdResult assertion in summary.Assertions)
            writer.Line($"  Assertion {assertion.Line}");
        writer.EmptyLine();
    }

    private void WriteFigures(TextWriter writer, string title, Figures figures, RunSummary? overall)
    {
        writer.EmptyLine();
        writer.Line($"--- {title} SUMMARY ---");
        foreach (ReportSection section in table.Sections.Where(section => overall is not null || !section.IsOverallOnly))
        {
            if (section.IsOverallOnly && overall!.Resources is { Count: > 0 } resources)
                WriteResources(writer, resources);
            WriteSection(writer, section, figures);
        }
    }

    private void WriteResources(TextWriter writer, ResourceStatistics resources)
    {
        (CpuShares cpu, ValueStatistics memory) = (table.CpuPerCore ? resources.CoreCpuPercent : resources.CpuPercent,
            resources.MemoryMegabytes);
        writer.Line($"  {table.ResourceSamples}: {resources.Count}");
        foreach ((string name, string unit, double max, double min, double average) in new[]
            { ("CPU", "%", cpu.Max, cpu.Min, cpu.Average), ("Memory", "MB", memory.Max, memory.Min, memory.Mean) })
        {
            writer.Line($"  {name} Usage max ({unit}): {max:F2}");
            writer.Line($"  {name} Usage min ({unit}): {min:F2}");
            writer.Line($"  {name} Usage avg ({unit}): {average:F2}");
        }
    }

    private static void WriteSection(TextWriter writer, ReportSection section, Figures figures)
    {
        if (section.Heading is not null)
        {
            writer.EmptyLine();
            writer.Line($"{section.Heading}");
        }

        IEnumerable<string> lines = section.IsReached?.Invoke(figures) == false
            ? [section.WhenNotReached]
            : section.Rows.Where(row => row.IsInSummary(figures)).SelectMany(row => Lines(row, figures));
        foreach (string line in lines)
            writer.Line($"  {line}");
    }

    private static IEnumerable<string> Lines(ReportRow row, Figures figures)
    {
        if (row.Value.Exists(figures))
            return row.SummaryFormats.Select(format => row.Format(format, figures, ReportScope.Run));
        return row.SummaryWithoutValue is { } line ? [line] : [];
    }
}
