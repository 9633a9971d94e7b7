using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Sizing;

namespace PerfTools.Verbs;

/// <summary><c>perftools size folder</c>: estimates the cores, memory and network that a load needs, from runs of smaller loads.</summary>
internal sealed class SizeVerb(TextWriter error)
{
    public const string Name = "size";
    public const string Summary = "Estimates the cores, memory and network a load needs from runs in a folder";

    public static OptionTable<SizeOptions> Options { get; } = SizeOptions.CreateTable();

    public RunOutcome Run(string folder, SizeOptions options, RunHost host)
    {
        List<string> leftOut = [];
        IReadOnlyList<SizedGroup> groups = SizedRuns.Read(folder, leftOut);
        SizedGroup measured = SizedChoice.ChooseRuns(folder, groups, options);
        SizedGroup? users = options.Users is null ? null : SizedChoice.ChooseUsers(folder, groups, options);
        SizeEstimate estimate = new(options, measured, users);

        RunConsole people = options.Outputs.UsesConsole ? new RunConsole(error) : host.Console;
        foreach (string line in SizeText.CreateLines(options, estimate).Append("").Concat(SizeText.CreateMeasured(groups)))
            people.WriteLine(line);
        foreach (string line in leftOut)
            people.WriteLine($"    left out   {line}");
        return RunOutcome.Success.WithUnwritten(options.Outputs.Write(host.Console,
            markdown: writer => SizeText.WriteMarkdown(writer, options, estimate),
            junit: _ => { },
            json: writer => writer.Write(SizeFile.CreateText(options, estimate, groups, leftOut))));
    }
}
