using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>The outermost layer of every tool: command line, signals, exit code, the one line of an error.</summary>
internal static class ToolProgram
{
    /// <summary>Parses, runs and turns whatever happens into an exit code.</summary>
    /// <inheritdoc cref="Run(string, RunConsole, TextWriter, Func{RunHost, RunOutcome}, RunSignals)"/>
    /// <remarks>
    /// Signals are taken from the beginning: one that comes while the options are read ends a run that has written its files. Those that are
    /// given take the place of the process's own.
    /// </remarks>
    public static int Run<T>(
        string tool, Func<OptionTable<T>> table, string[] args, TextWriter output, TextWriter error, Func<T, RunHost, RunOutcome> run,
        RunSignals? given = null)
        where T : class
    {
        using RunSignals? own = given is null ? new() : null;
        RunSignals signals = given ?? own!;
        RunConsole console = new(output);
        ParsedCommandLine<T> parsed;
        try
        {
            parsed = table().ParseWithFile(args, Terminal.FindColumns(output));
        }
        catch (SetupException problem)
        {
            RunOutcome end = RunDefect.Describe(tool, problem);
            return Fail(tool, error, end.Code, end.Reason);
        }

        if (parsed.Options is not null)
            return Run(tool, console, error, host => RunWarned(parsed, run, host), signals);
        return parsed.Text is { } text ? Print(console, text) : Refuse(tool, error, parsed.Problem!);
    }

    private static RunOutcome RunWarned<T>(ParsedCommandLine<T> parsed, Func<T, RunHost, RunOutcome> run, RunHost host)
        where T : class
    {
        if (parsed.Warning is { } warning)
            host.Console.WriteLine(warning);
        return run(parsed.Options!, host);
    }

    /// <summary>Runs what a command line asked for and turns whatever happens into an exit code.</summary>
    /// <param name="tool">Name of the program, in front of every error.</param>
    /// <param name="console">Console; may fail, the run goes on then.</param>
    /// <param name="error">Where the one line of an error goes.</param>
    /// <param name="run">The run itself; says how it ended.</param>
    /// <param name="signals">Those that end it.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string tool, RunConsole console, TextWriter error, Func<RunHost, RunOutcome> run, RunSignals signals)
    {
        try
        {
            RunOutcome final = Judge(run(new RunHost(console, signals)), console, signals);
            return final.Code == ExitCode.Success ? 0 : Fail(tool, error, final.Code, final.Reason);
        }
#pragma warning disable CA1031 // the top of the program: a defect becomes exit code 1 and a crash file
        catch (Exception cause)
#pragma warning restore CA1031
        {
            RunOutcome end = RunDefect.Describe(tool, cause);
            return Fail(tool, error, end.Code, end.Reason);
        }
    }

    // The first failure decides; a signal decides only over success.
    private static RunOutcome Judge(RunOutcome outcome, RunConsole console, RunSignals signals) =>
        (outcome.Code == ExitCode.Success ? signals.Outcome ?? outcome : outcome).WithUnwritten(console.Failure);

    /// <summary>Prints a help or version text; the result is the exit code.</summary>
    public static int Print(RunConsole console, string text)
    {
        console.Write(writer => writer.Write(text));
        return console.Failure is null ? 0 : (int)ExitCode.OutputFile;
    }

    /// <summary>Says what is wrong with a command line; the result is the exit code.</summary>
    public static int Refuse(string tool, TextWriter error, string problem) => Fail(tool, error, ExitCode.CommandLine, problem);

    private static int Fail(string tool, TextWriter error, ExitCode code, string reason)
    {
        try
        {
            error.Write($"{tool}: {PrintableText.From(reason, PrintableText.MaxLineChars)}\n");
            error.Flush();
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // nobody can be told; the exit code still says it
        }

        return (int)code;
    }
}
