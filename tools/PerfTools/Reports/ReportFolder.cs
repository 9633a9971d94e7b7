using PerfCommon;
using PerfTools.Reports.RoundTrips;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Reports;

/// <summary>
/// Writes <c>report.html</c> of a folder with results: of a run of perftools, of round trips over several transports, or of single programs of any
/// edition.
/// </summary>
internal static class ReportFolder
{
    public const string FileName = "report.html";

    /// <summary>Writes the report of a run.</summary>
    /// <returns>Why it could not be written, also when its source files are gone; null when it was written.</returns>
    public static string? TryWrite(RecordedRun run)
    {
        try
        {
            return TryWrite(run.Folder, RunPage.Create(run));
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return $"{PrintableText.From(Path.Combine(run.Folder, FileName))}: cannot be made: {FileErrors.Describe(run.Folder, cause)}";
        }
    }

    /// <summary>Writes the report of a folder again.</summary>
    /// <returns>Why it could not be written; null when it was written.</returns>
    /// <exception cref="SetupException">There are no results in it, or they cannot be read (exit code 3).</exception>
    public static string? TryWrite(string folder)
    {
        if (!Directory.Exists(folder))
            throw FileErrors.Input(folder, "no such folder");
        if (RecordedRun.IsIn(folder))
            return TryWrite(RecordedRun.Read(folder));
        return TryWrite(folder, RoundTripsPage.TryCreate(folder) ?? GuidePage.TryCreate(folder)
            ?? throw FileErrors.Input(folder, $"neither {RunFile.Name} nor statistics, latencies or summaries of the guide's programs are in it"));
    }

    private static string? TryWrite(string folder, ReportContent content) =>
        WholeFile.TryWrite(Path.Combine(folder, FileName), writer => ReportPage.Write(writer, content));
}
