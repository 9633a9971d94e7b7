using System.Text.Json;
using LatencyPerf.Options;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfTools.Hosting.Reporting;

namespace LatencyPerf.Results;

/// <summary>Every figure that a subscriber reports, one row each.</summary>
internal static class SubscriberReport
{
    private static readonly ReportTable OwnCounts = CreateTable();

    /// <summary>Creates the report of a subscriber with these options.</summary>
    public static Report Create(LatencyPerfOptions options)
    {
        ReportTable table = CreateTable();
        table.Overall();
        SideMembers.AddRole(table, "subscriber");
        table.Number(_ => options.Cookie).Final("cookie");
        SideMembers.AddOptions(table, options);
        SideMembers.AddPlacement(table, f => Of(f).Placement);
        return new Report(table);
    }

    /// <summary>Writes the counts that a subscriber has sent to the publisher, as members of an object.</summary>
    public static void WriteCounts(Utf8JsonWriter json, in SubscriberCounts counts)
    {
        Figures figures = new() { Results = counts };
        foreach (ReportRow row in OwnCounts.Rows)
            row.Value.WriteJson(json, row.FinalName![(ReportTable.Counts.Length + 1)..], figures, ReportScope.Run);
        SideMembers.WritePlacement(json, counts.Placement);
    }

    private static ReportTable CreateTable()
    {
        ReportTable table = new(LatencyPerfOptionTable.Tool) { Steady = (Moment.Connected, Moment.End) };
        table.Section();
        Count(table, "messagesReceived", "messages received", counts => counts.Received).NeitherIsBetter();
        Count(table, "repliesSent", "replies sent", counts => counts.Replied).NeitherIsBetter();
        Count(table, "lost", "messages lost", counts => counts.Lost);
        Count(table, "duplicates", "messages received twice", counts => counts.Duplicates);
        Count(table, "late", "messages too late", counts => counts.Late);
        Count(table, "foreign", "packets of strangers", counts => counts.Foreign);
        Count(table, "droppedByOption", "packets dropped on purpose", counts => counts.Dropped).NeitherIsBetter();
        Count(table, "droppedByKernel", "packets dropped by the kernel", counts => counts.KernelDrops);
        Count(table, "cpuMicros", "CPU time", counts => counts.CpuMicros).Is(FigureKind.Time, LatencyCell.Unit, FigureMerge.Sum);
        return table;
    }

    private static ReportRow Count(ReportTable table, string name, string words, Func<SubscriberCounts, double> read) =>
        table.Number(f => read(Of(f))).Final($"{ReportTable.Counts}.{name}").Called(words).IsSum()
            .LowerIsBetter();

    private static SubscriberCounts Of(Figures figures) => (SubscriberCounts)figures.Results!;
}
