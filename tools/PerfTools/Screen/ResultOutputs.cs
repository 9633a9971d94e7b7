using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace PerfTools.Screen;

/// <summary>The outputs of a result in addition to the console, in forms for other programs.</summary>
internal sealed record ResultOutputs
{
    /// <summary>The name that stands for standard output instead of a file.</summary>
    public const string Console = "-";

    private const string Alone = "true"; // the value of an option without one

    /// <summary>The file for a table for a pull request. <c>--markdown</c></summary>
    public string? Markdown { get; init; }

    /// <summary>The file for a test case per assertion. <c>--junit</c></summary>
    public string? JUnit { get; init; }

    /// <summary>The file for every figure. <c>--json</c></summary>
    public string? Json { get; init; }

    /// <summary>The file for a page. <c>--html</c></summary>
    public string? Html { get; init; }

    /// <summary>The scenario file to write from the options, instead of a run. <c>--save</c></summary>
    public string? Save { get; init; }

    /// <summary>The collector to which figures and trace are sent during and after the run. <c>--otlp</c></summary>
    public OtlpOptions Otlp { get; init; } = new();

    /// <summary>The port of a page that shows the run in progress, 0 for a free port; null for no page. <c>--serve</c></summary>
    public int? LivePort { get; init; }

    /// <summary>True when standard output is for another program, so that text for people is written to standard error.</summary>
    public bool UsesConsole => Markdown == Console || Json == Console;

    /// <summary>Adds the options of all results.</summary>
    public static void AddRows<T>(OptionRows<T, ResultOutputs> rows)
        where T : class
    {
        rows.Text("-markdown", "file",
            "the result as a table for a pull request; - for standard output, all else goes to standard error then", o => o.Markdown,
            (o, v) => o with { Markdown = v });
        rows.Text("-junit", "file", "the assertions as JUnit test cases", o => o.JUnit, (o, v) => o with { JUnit = v });
        rows.Text("-json", "file", "the result as JSON; - for standard output, all else goes to standard error then", o => o.Json,
            (o, v) => o with { Json = v });
    }

    /// <summary>Adds the options about OpenTelemetry.</summary>
    public static void AddTelemetryRows<T>(OptionRows<T, ResultOutputs> rows)
        where T : class =>
        OtlpOptions.AddRows(rows.Part(o => o.Otlp, (o, v) => o with { Otlp = v }), ControlOptions.OtlpName, "-otlp-protocol");

    /// <summary>Adds the option of a page that shows a run in progress.</summary>
    /// <param name="rows">The rows of a record that has it.</param>
    /// <param name="get">Reads the port.</param>
    /// <param name="set">Creates the record with a port.</param>
    public static void AddLive<T, TPart>(OptionRows<T, TPart> rows, Func<TPart, int?> get, Func<TPart, int, TPart> set)
        where T : class
        where TPart : class =>
        rows.Custom("-serve", "port", "a port, 0 for a free one",
            "show the run while it goes on, as a page for browsers on this machine; without a port on a free one",
            o => get(o)?.ToString(CultureInfo.InvariantCulture),
            (o, s) => s == Alone ? set(o, 0)
                : ushort.TryParse(s, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) ? set(o, port) : null).ValueOptional();

    /// <summary>Adds the option that writes a scenario file.</summary>
    public static void AddSave<T>(OptionRows<T, ResultOutputs> rows)
        where T : class =>
        rows.Text("-save", "file", "save the scenario with these options as a file, and run nothing", o => o.Save, (o, v) => o with { Save = v });

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() =>
        Markdown == Console && Json == Console ? "--markdown and --json cannot both have standard output" : Otlp.FindProblem("--otlp", "--otlp-protocol");

    /// <summary>Writes each requested form.</summary>
    /// <returns>Why something could not be written; null when all was written.</returns>
    public string? Write(RunConsole console, Action<TextWriter> markdown, Action<TextWriter> junit, Action<TextWriter> json,
        Action<TextWriter>? html = null)
    {
        string?[] problems = [Write(Markdown, console, markdown), Write(JUnit, console, junit), Write(Json, console, json),
            html is null ? null : Write(Html, console, html)];
        return problems.OfType<string>().ToArray() is [_, ..] found ? string.Join("; ", found) : null;
    }

    private static string? Write(string? file, RunConsole console, Action<TextWriter> write)
    {
        if (file is null)
            return null;
        if (file != Console)
            return WholeFile.TryWrite(file, write);
        console.Write(write);
        return null;
    }
}
