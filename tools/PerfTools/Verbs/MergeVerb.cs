using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Reports.Users;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Scenarios.Users;

namespace PerfTools.Verbs;

/// <summary>The options of <c>perftools merge</c>. Immutable; vary it with <c>with</c>.</summary>
internal sealed record MergeOptions
{
    /// <summary>The output folder; null for a new one. <c>--out</c></summary>
    public string? Out { get; init; }
}

/// <summary><c>perftools merge folder...</c>: merges the parts of a ramp that ran on several machines.</summary>
internal static class MergeVerb
{
    public const string Name = "merge";
    public const string Summary = "Merges the results of several machines of a run of users, cell by cell";

    public static OptionTable<MergeOptions> Options { get; } = CreateTable();

    public static RunOutcome Run(IReadOnlyList<string> folders, MergeOptions options, RunHost host)
    {
        RampMerge merged = ResultLog.Combine(folders, () => RampMerge.Read(folders));
        RunFolder into = RunFolder.Open(options.Out, Name, DateTime.UtcNow, [RunFile.Name, "merged-*.hlog"]);
        RunDocument document = merged.CreateDocument(into);
        foreach (StepRow step in merged.Result.Steps)
            host.Console.WriteLine(step.Describe());
        UsersFiles.ShowEnd(document, host);
        FinishedVariant done = new(merged.Variant, ".", document);
        string? unwritten = UsersFiles.TryWriteRamp(into, document, merged.Result.Steps) ?? merged.TryWriteHistograms(into);
        return UsersFiles.WriteSuite(into, merged.Variant.Load.Name, [done], unwritten, host);
    }

    private static OptionTable<MergeOptions> CreateTable()
    {
        OptionTable<MergeOptions> table = new($"perftools {Name}", new(), _ => null) { HasLongNames = true };
        table.Text("-out", "folder", "output folder (default runs/<UTC time>-merge)", o => o.Out,
            (o, v) => o with { Out = v });
        return table;
    }
}
