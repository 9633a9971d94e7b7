using PerfCommon;

namespace PerfTools.Hosting.CommandLine;

/// <summary>What a command line turned out to be; exactly one of the three is set.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="Options">Checked options: run with them.</param>
/// <param name="Text">Help or version text: print it, line ends included, and succeed.</param>
/// <param name="Problem">One sentence about what is wrong: print it; the command line is at fault.</param>
internal sealed record ParsedCommandLine<T>(T? Options, string? Text, string? Problem)
    where T : class
{
    /// <summary>A command line that is wrong; what was typed is made fit to print.</summary>
    public static ParsedCommandLine<T> Refused(string problem) => new(null, null, PrintableText.From(problem, PrintableText.MaxLineChars));
}
