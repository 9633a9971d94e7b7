namespace PerfTools.Verbs;

/// <summary>The texts of <c>perftools --help</c> and <c>perftools run --help</c>.</summary>
internal static class VerbHelp
{
    /// <summary>All verbs.</summary>
    public const string Program = """
        Usage: perftools <verb> ...
          run <scenario> <Options>
              lets two of the tools meet on this machine, collects their files, and says what came of it
          cert <Options>
              makes a throw-away certificate authority and server certificate, for trials of encrypted connections
          -help, -?
              this text; behind a verb or a scenario, more about it
          -version
              the version of this program
        Every option may also be written with two dashes.

        """;

    /// <summary>Name and version.</summary>
    public static string Version => CertVerb.Options.VersionText.Replace(" cert", "", StringComparison.Ordinal);

    /// <summary>All scenarios.</summary>
    public static string Run => "Usage: perftools run <scenario> <Options>\n"
        + string.Concat(RunVerb.Scenarios.Select(s => $"  {s.Name}\n      {s.Summary}\n"))
        + "perftools run <scenario> -help lists the options of a scenario.\n";
}
