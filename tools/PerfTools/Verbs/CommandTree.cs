using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Running;
using PerfTools.Scenarios;

namespace PerfTools.Verbs;

/// <summary>Finds the verb of a command line and hands it the rest.</summary>
internal sealed class CommandTree(TextWriter output, TextWriter error, int? screenColumns)
{
    private static readonly string[] Verbs = ["run", "cert"];
    private static readonly string[] HelpNames = ["-help", "--help", "-?"];
    private static readonly string[] VersionNames = ["-version", "--version"];

    /// <summary>Runs what the command line asks for.</summary>
    /// <returns>The exit code.</returns>
    public int Run(string[] args)
    {
        switch (args)
        {
            case []:
                return Refuse("a verb is needed; -help lists them");
            case [var first, ..] when HelpNames.Contains(first):
                return Print(VerbHelp.Program);
            case [var first, ..] when VersionNames.Contains(first):
                return Print(VerbHelp.Version);
            case ["run", .. var rest]:
                return RunScenario(rest);
            case ["cert", .. var rest]:
                return CertVerb.Run(rest, output, error);
            default:
                return Refuse(Unknown("verb", args[0], Verbs));
        }
    }

    private int RunScenario(string[] args)
    {
        if (args is [])
            return Refuse("run: a scenario is needed; run -help lists them");
        if (HelpNames.Contains(args[0]))
            return Print(VerbHelp.Run);
        Scenario? scenario = RunVerb.Scenarios.FirstOrDefault(s => s.Name == args[0]);
        return scenario is null
            ? Refuse("run: " + Unknown("scenario", args[0], RunVerb.Scenarios.Select(s => s.Name)))
            : new RunVerb(output, error, screenColumns).Run(scenario, args[1..]);
    }

    private static string Unknown(string what, string typed, IEnumerable<string> known) => PrintableText.From(typed)
        + (ClosestName.Find(typed, known) is { } close ? $": unknown {what}; did you mean {close}?" : $": unknown {what}; -help lists them");

    private int Print(string text)
    {
        output.Write(text);
        return (int)ExitCode.Success;
    }

    private int Refuse(string problem)
    {
        error.Write($"perftools: {problem}\n");
        return (int)ExitCode.CommandLine;
    }
}
