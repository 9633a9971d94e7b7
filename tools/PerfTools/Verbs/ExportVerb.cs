using PerfCommon;
using PerfTools.Export;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;

namespace PerfTools.Verbs;

/// <summary><c>perftools export folder</c>: writes figures and intervals of many runs into one file each, for other programs.</summary>
internal static class ExportVerb
{
    public const string Name = "export";
    public const string Summary = "Writes figures and intervals of all runs in a folder as CSV or Parquet";

    public static OptionTable<ExportOptions> Options { get; } = ExportOptions.CreateTable();

    public static RunOutcome Run(string folder, ExportOptions options, RunHost host)
    {
        List<string> leftOut = [];
        IReadOnlyList<ExportedRun> runs = ExportedRun.ReadAll(folder, leftOut);
        if (runs.Count == 0)
            throw FileErrors.Input(folder, leftOut is [var first, ..] ? $"no run can be read: {first}" : "no folder with run.json is in it");
        RunFolder place = RunFolder.Open(options.Out ?? folder, Name, DateTime.UtcNow, []);
        ExportTable[] tables = [ExportTables.Figures(runs), ExportTables.Intervals(runs),
            .. options.HasSamples ? [ExportTables.Samples(runs)] : (ExportTable[])[]];
        string? unwritten = null;
        foreach (ExportTable table in tables)
        {
            string name = table.Name + (options.IsParquet ? ParquetExport.Extension : CsvExport.Extension);
            if (WholeFile.TryWriteBytes(place.PathOf(name), file => Write(file, table, options.IsParquet)) is { } problem)
                unwritten ??= problem;
            else
                host.Console.WriteLine($"    written    {place}{name}");
        }

        foreach (string line in leftOut)
            host.Console.WriteLine($"    left out   {line}");
        return RunOutcome.Success.WithUnwritten(unwritten);
    }

    private static void Write(Stream file, ExportTable table, bool isParquet)
    {
        if (isParquet)
            ParquetExport.Write(file, table);
        else
            CsvExport.Write(file, table);
    }
}
