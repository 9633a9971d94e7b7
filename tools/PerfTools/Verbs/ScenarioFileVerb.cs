using PerfCommon;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.ScenarioFiles;

namespace PerfTools.Verbs;

/// <summary><c>perftools run my.json</c>: carries out the runs of a scenario file, or of the built-in one.</summary>
internal static class ScenarioFileVerb
{
    /// <summary>The name of the built-in file: the shape of a performance report.</summary>
    public const string Built = "summary";

    /// <summary>Its description, in one line of the help.</summary>
    public const string BuiltSummary = "Consumer, provider and publisher, plain and encrypted, in one table; a scenario file";

    /// <summary>True for arguments that name a file of runs.</summary>
    public static bool IsMeantBy(string[] args) =>
        args is ["run", var file, ..] && (file == Built
            || (!file.StartsWith('-') && file.EndsWith(ScenarioFile.Extension, StringComparison.OrdinalIgnoreCase)));

    /// <summary>Reads the file that the arguments name, and carries out its runs.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="run">Carries out the runs.</param>
    /// <param name="host">The host of the runs.</param>
    /// <param name="error">Receives every mistake of the file but the last, which is thrown.</param>
    /// <exception cref="SetupException">The file cannot be read, or has mistakes.</exception>
    public static RunOutcome Run(string[] args, RunVerb run, RunHost host, TextWriter error)
    {
        (string file, string[] overrides) = (args[1], args[2..]);
        (ScenarioPlan? plan, IReadOnlyList<string> problems) = file == Built
            ? ScenarioFile.Parse(ReadBuilt(), Built + ScenarioFile.Extension, overrides) : ScenarioFile.Read(file, overrides);
        return run.Run(plan ?? throw Refuse(problems, error), host);
    }

    /// <summary>Writes every mistake of a file but the last, which the caller throws.</summary>
    public static SetupException Refuse(IReadOnlyList<string> problems, TextWriter error)
    {
        foreach (string problem in problems.SkipLast(1))
            error.WriteLine($"perftools: {PrintableText.From(problem, PrintableText.MaxLineChars)}");
        return new(SetupProblem.CommandLine, problems[^1]);
    }

    /// <summary>Reads the text of the built-in file.</summary>
    internal static string ReadBuilt()
    {
        using Stream stream = typeof(ScenarioFileVerb).Assembly.GetManifestResourceStream(Built + ScenarioFile.Extension)!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
