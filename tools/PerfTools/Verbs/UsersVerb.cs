using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Processes;
using PerfTools.Reports;
using PerfTools.Reports.Users;
using PerfTools.Results;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary><c>perftools run users</c> and its parts: thousands of users of a hub, ramp after ramp.</summary>
internal sealed class UsersVerb
{
    private const string StepsName = "steps.csv";

    private UsersVerb(string name, string summary, IReadOnlyList<UsersLoad> loads) =>
        (Name, Summary, Loads, Options) = (name, summary, loads, UsersOptions.CreateTable(name, loads));

    /// <summary>Each load by itself, then all of them.</summary>
    public static IReadOnlyList<UsersVerb> All { get; } =
    [
        .. UsersLoad.All.Select(load => new UsersVerb(load.Name, DescribeLoad(load), [load])),
        new("users", "The four loads above, one after the other", UsersLoad.All),
    ];

    public string Name { get; }

    public string Summary { get; }

    public OptionTable<UsersOptions> Options { get; }

    private IReadOnlyList<UsersLoad> Loads { get; }

    public RunOutcome Run(UsersOptions options, RunHost host)
    {
        RunFolder suite = RunFolder.Open(options.Out, Name, DateTime.UtcNow, [UsersReport.SuiteName, StepsName, ReportFolder.FileName]);
        List<FinishedVariant> done = [];
        string? unwritten = null;
        foreach (UsersVariant variant in Loads.SelectMany(load => UsersVariant.Plan(load, options, out _)))
        {
            if (host.Signals.StopRequested.IsCancellationRequested)
                break;
            done.Add(Run(variant, options, suite, host, ref unwritten));
        }

        unwritten ??= UsersReport.TryWrite(suite, Name, done);
        host.Console.WriteLine($"results    {suite}{ReportFolder.FileName}");
        RunOutcome outcome = done.Find(one => one.Document.Reason is not null) is { } worst
            ? new RunOutcome(worst.Document.ExitCode, $"run {worst.Variant.Load.Name} {worst.Variant.Name}: {worst.Document.Reason}") : RunOutcome.Success;
        return outcome.WithUnwritten(unwritten);
    }

    private static FinishedVariant Run(UsersVariant variant, UsersOptions options, RunFolder suite, RunHost host, ref string? unwritten)
    {
        string name = $"{variant.Load.Name}-{variant.Name}";
        RunFolder folder = RunFolder.Open(suite.PathOf(name), name, DateTime.UtcNow, ["*.jsonl", "*.hlog", "*.hgrm", RunFile.Name, StepsName, IntervalTable.Name, ReportFolder.FileName]);
        host.Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{name}: {variant.Parameters.Subjects:N0} subjects at {variant.Parameters.SubjectRate:0.###}/s, {variant.Parameters.Subscriptions:N0} of them a user, {variant.Parameters.Size} bytes"));
        UsersRun run = new(variant, options, folder);
        RunDocument document = run.Run(StopRequest.By(host.Signals), host.Console.WriteLine);
        unwritten ??= RunFile.TryWrite(folder, document)
            ?? WholeFile.TryWrite(folder.PathOf(StepsName), writer => StepRow.WriteCsv(writer, run.Steps)) ?? TryWriteRest(folder);
        host.Console.WriteLine(run.Capacity is { } most
            ? string.Create(CultureInfo.InvariantCulture, $"{document.ShownVerdict}  capacity: {most.UsersAsked:N0} users, mean {StepRow.Millis(most.MeanMicros)} ms") : document.ShownVerdict);
        if (document.Reason is { } reason)
            host.Console.WriteLine("  " + reason);
        return new FinishedVariant(variant, name, document, run.Steps, run.Capacity);
    }

    private static string? TryWriteRest(RunFolder folder)
    {
        RecordedRun recorded = RecordedRun.Read(folder.FullPath);
        return IntervalTable.TryWrite(recorded) ?? ReportFolder.TryWrite(recorded);
    }

    private static string DescribeLoad(UsersLoad load) => string.Create(CultureInfo.InvariantCulture,
        $"NIProvPerf, HubPerf and UsersPerf: {load.Base.UserRate:0.###} updates a second for each of thousands of users, step after step");
}
