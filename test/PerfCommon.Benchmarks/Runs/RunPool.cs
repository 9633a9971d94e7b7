using System.Diagnostics;
using System.Globalization;
using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Runs perftools, one process at a time, each in a separate folder and with a time limit; folders and processes are removed.</summary>
/// <param name="seconds">Seconds of measuring in each run.</param>
/// <param name="fromSecond">The second in which the window for figures begins, after start-up and compiling.</param>
/// <param name="progress">Receives the result of each run, as a line.</param>
/// <param name="stop">Ends the current run.</param>
internal sealed class RunPool(int seconds, int fromSecond, Action<string> progress, CancellationToken stop) : IDisposable
{
    private const int SecondsBesideMeasuring = 60;
    private const int MaxTries = 3; // of a run that was disturbed by other load
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(250);

    private readonly string _folder = Directory.CreateTempSubdirectory("perftools-search-").FullName;
    private readonly ReferenceLoop _reference = new();
    private int _number;

    /// <summary>Runs the roles of a scenario for a short time, to test whether they sustain a rate.</summary>
    /// <param name="arguments">The scenario and its options, without time and folder.</param>
    /// <exception cref="OperationCanceledException">A signal was received.</exception>
    public RunReport Run(params string[] arguments) => RunUndisturbed(fromSecond: 1, arguments);

    /// <summary>Runs them until the window for figures has ended.</summary>
    /// <inheritdoc cref="Run(string[])"/>
    public RunReport RunForFigures(params string[] arguments) => RunUndisturbed(fromSecond, arguments);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // Under other load neither a missed rate nor a figure is valid: the run is repeated, and marked when the load does not end.
    private RunReport RunUndisturbed(int fromSecond, string[] arguments)
    {
        RunReport report = RunOnce(fromSecond, arguments);
        for (int tries = 1; tries < MaxTries && report.Window is { IsDisturbed: true }; tries++)
            report = RunOnce(fromSecond, arguments);
        return report;
    }

    private RunReport RunOnce(int fromSecond, string[] arguments)
    {
        string folder = Path.Combine(_folder, (++_number).ToString(CultureInfo.InvariantCulture));
        int length = fromSecond == 1 ? seconds : fromSecond + seconds;
        string[] all = ["run", .. arguments, "--seconds", length.ToString(CultureInfo.InvariantCulture), "--out", folder];
        LoadLog load = new();
        double before = _reference.MeasurePassNanos();
        string? failure = Start(all, length, load);
        double pass = (before + _reference.MeasurePassNanos()) / 2;
        string file = Path.Combine(folder, RunFile.Name);
        Scenario scenario = ScenarioList.All.First(s => s.Name == arguments[0]);
        RunReport report = failure is null && File.Exists(file)
            ? RunReport.Read(file, RunWindow.Read(folder, scenario, fromSecond, load, pass))
            : RunReport.Failed(failure ?? "no result");
        string outcome = $"{string.Join(' ', arguments)}: {(report.IsOk ? "OK" : report.Reason)}";
        progress(string.Create(CultureInfo.InvariantCulture,
            $"  {outcome}, {report.Rate:N0}/s, foreign {report.Window?.ForeignShare * 100:F0} %, loop {pass:F0} ns"));
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        return report;
    }

    // Returns the reason when it left no result.
    private string? Start(string[] arguments, int length, LoadLog load)
    {
        stop.ThrowIfCancellationRequested();
        using Process process = new() { StartInfo = CreateStart(arguments) };
        process.OutputDataReceived += (_, _) => { };
        process.ErrorDataReceived += (_, _) => { };
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        TimeSpan limit = TimeSpan.FromSeconds((3 * length) + SecondsBesideMeasuring);
        for (long start = Stopwatch.GetTimestamp(); !process.WaitForExit(Look);)
        {
            load.Add(DateTime.UtcNow, ProcessorUse.ReadNow());
            if (!stop.IsCancellationRequested && Stopwatch.GetElapsedTime(start) < limit)
                continue;
            process.Kill(entireProcessTree: true); // it and the roles that it started
            process.WaitForExit();
            stop.ThrowIfCancellationRequested();
            return "time is up";
        }

        return null;
    }

    private static ProcessStartInfo CreateStart(string[] arguments)
    {
        RoleCommand command = RoleCommand.ForProgram("perftools", "perftools", arguments);
        return new(command.FileName, command.Arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
    }
}
