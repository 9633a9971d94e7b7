using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Running;

/// <summary>The outermost layer of every tool: command line, signals, exit code, the single error line.</summary>
internal static class ToolProgram
{
    /// <summary>Parses the command line, runs, and converts the result into an exit code.</summary>
    /// <inheritdoc cref="Run(string, RunConsole, TextWriter, Func{RunHost, RunOutcome}, RunSignals)"/>
    /// <remarks>
    /// Signals are handled from the beginning: one that arrives while the options are read ends a run that has written its files. Given signals
    /// replace the process's own.
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

    /// <summary>Runs a command line's task and converts the result into an exit code.</summary>
    /// <param name="tool">Name of the program, prefix of every error.</param>
    /// <param name="console">The console; when it fails, the run goes on.</param>
    /// <param name="error">Where the error line is written.</param>
    /// <param name="run">The run itself; returns its outcome.</param>
    /// <param name="signals">The signals that end it.</param>
    /// <returns>The exit code.</returns>
    public static int Run(string tool, RunConsole console, TextWriter error, Func<RunHost, RunOutcome> run, RunSignals signals)
    {
        try
        {
            RunOutcome final = Judge(run(new RunHost(console, signals)), console, signals);
            return final.Code == ExitCode.Success ? 0 : Fail(tool, error, final.Code, final.Reason);
        }
#pragma warning disable CA1031 // the top of the program: an internal error becomes exit code 1 and a crash file
        catch (Exception cause)
#pragma warning restore CA1031
        {
            RunOutcome end = RunDefect.Describe(tool, cause);
            return Fail(tool, error, end.Code, end.Reason);
        }
    }

    // The first failure decides; a signal overrides success only.
    private static RunOutcome Judge(RunOutcome outcome, RunConsole console, RunSignals signals) =>
        (outcome.Code == ExitCode.Success ? signals.Outcome ?? outcome : outcome).WithUnwritten(console.Failure);

    /// <summary>Prints a help or version text and returns the exit code.</summary>
    public static int Print(RunConsole console, string text)
    {
        console.Write(writer => writer.Write(text));
        return console.Failure is null ? 0 : (int)ExitCode.OutputFile;
    }

    /// <summary>Prints the error of a command line and returns the exit code.</summary>
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
            // no output is left; the exit code still reports it
        }

        return (int)code;
    }
}
