using System.Globalization;
using PerfCommon;
using PerfTools.History;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios.Users;
using PerfTools.Screen;

namespace PerfTools.Verbs;

/// <summary>
/// Writes the files of a run of the users suite and its messages: the same on one machine, on several, and for a merge.
/// </summary>
internal static class UsersFiles
{
    private const string StepsName = "steps.csv";

    /// <summary>The files of a suite that an earlier run may have left.</summary>
    public static IReadOnlyList<string> OfSuite { get; } = [SuiteFile.Name, StepsName, ReportFolder.FileName];

    /// <summary>The files of a ramp that an earlier run may have left.</summary>
    public static IReadOnlyList<string> OfRamp { get; } = ["*.jsonl", "*.hlog", "*.hgrm", RunFile.Name, StepsName, IntervalTable.Name,
        ReportFolder.FileName, UsersRun.StartName];

    /// <summary>Creates the requested ramps, each with the number of processes that it needs.</summary>
    /// <param name="loads">The loads.</param>
    /// <param name="options">The options; checked.</param>
    /// <param name="machines">The number of machines with users.</param>
    public static IEnumerable<UsersVariant> Plan(IReadOnlyList<UsersLoad> loads, UsersOptions options, int machines) =>
        loads.SelectMany(load =>
            UsersVariant.Plan(load, options, out _)).Select(variant => variant.WithProcesses(options.IsFull, machines));

    /// <summary>Announces a ramp, and warns of a shortage.</summary>
    public static void Introduce(UsersVariant variant, UsersOptions options, RampShare share, string name, RunHost host)
    {
        host.Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{name}: {variant.Parameters.Subjects:N0} subjects at {variant.Parameters.SubjectRate:0.###}/s, {variant.Parameters.Subscriptions:N0} of "
                + $"them a user, {variant.Parameters.Size} bytes"));
        if (RampMemory.FindShortage(RampMemory.Estimate(variant, share), FreeMemory.Bytes) is { } shortage)
            host.Console.WriteLine(shortage);
        if (UsersBinding.FindShortage(variant, options, share, UsableProcessors.Find()) is { } few)
            host.Console.WriteLine(few);
    }

    /// <summary>Carries out a ramp without a word, and writes its files.</summary>
    /// <returns>The result, and why a file could not be written; null when all were.</returns>
    public static (RunDocument Document, string? Unwritten) Make(UsersRun run, RunFolder folder, StopRequest stop)
    {
        RunDocument document = run.Run(stop, static _ => { });
        return (document, TryWriteRamp(folder, document, run.Steps));
    }

    /// <summary>Writes the files of a completed ramp.</summary>
    /// <returns>Why one could not be written; null when all were written.</returns>
    public static string? TryWriteRamp(RunFolder folder, RunDocument document, IReadOnlyList<StepRow> steps) =>
        RunFile.TryWrite(folder, document)
        ?? WholeFile.TryWrite(folder.PathOf(StepsName), writer => StepRow.WriteCsv(writer, steps)) ?? TryWriteRest(folder);

    /// <summary>Writes the files of one rank: its users alone are no step.</summary>
    /// <returns>Why one could not be written; null when all were written.</returns>
    public static string? TryWriteRank(RunFolder folder, RunDocument document) =>
        RunFile.TryWrite(folder, document) ?? TryWriteRest(folder);

    public static void ShowEnd(RunDocument document, RunHost host)
    {
        host.Console.WriteLine(document.Capacity is { } capacity ? $"{document.ShownVerdict}  {capacity.Describe()}" : document.ShownVerdict);
        if (document.Reason is { } reason)
            host.Console.WriteLine("  " + reason);
        foreach (AssertionResult assertion in document.Assertions)
            host.Console.WriteLine($"  assertion {assertion.Line}");
        foreach (string line in ClosingText.DescribePlacement(document))
            host.Console.WriteLine(line);
    }

    /// <summary>Writes the files of a suite, and reports its outcome.</summary>
    /// <param name="suite">Its folder.</param>
    /// <param name="name">Its name.</param>
    /// <param name="done">The ramps that its files have.</param>
    /// <param name="unwritten">Why a file of a ramp could not be written; null when all were.</param>
    /// <param name="host">Its console.</param>
    /// <param name="all">The ramps of which the first that failed is its outcome; null for those of its files.</param>
    public static RunOutcome WriteSuite(RunFolder suite, string name, IReadOnlyList<FinishedVariant> done, string? unwritten, RunHost host,
        IReadOnlyList<FinishedVariant>? all = null)
    {
        foreach (UsersSweep sweep in UsersSweep.Find(done))
            host.Console.WriteLine(sweep.Describe());
        unwritten ??= UsersReport.TryWrite(suite, name, done);
        RunIndex.Update(suite.FullPath);
        host.Console.WriteLine($"results    {suite}{ReportFolder.FileName}");
        return OutcomeOf(all ?? done).WithUnwritten(unwritten);
    }

    /// <summary>A ramp of a suite as a completed run.</summary>
    /// <param name="suite">The folder of the suite.</param>
    /// <param name="done">The ramp.</param>
    public static FinishedRun Finish(RunFolder suite, FinishedVariant done) =>
        new(RunFolder.Open(suite.PathOf(done.Folder), done.Folder, DateTime.UtcNow, []), done.Document, OutcomeOf([done]));

    /// <summary>The outcome of the first faulty ramp.</summary>
    public static RunOutcome OutcomeOf(IEnumerable<FinishedVariant> done) =>
        done.FirstOrDefault(one => one.Document.Reason is not null) is { } worst
        ? new RunOutcome((ExitCode)worst.Document.ExitCode, $"run {worst.Variant.Load.Name} {worst.Variant.Name}: {worst.Document.Reason}")
            : RunOutcome.Success;

    private static string? TryWriteRest(RunFolder folder)
    {
        RecordedRun recorded = RecordedRun.Read(folder.FullPath);
        return IntervalTable.TryWrite(recorded) ?? ReportFolder.TryWrite(recorded);
    }
}
