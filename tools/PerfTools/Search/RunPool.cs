using System.Diagnostics;
using System.Globalization;
using PerfTools.Processes;
using PerfTools.Results;

namespace PerfTools.Search;

/// <summary>Runs perftools, one process at a time, each in a folder of its own and within a time; nothing stays behind.</summary>
/// <param name="seconds">Seconds of measuring in each run.</param>
/// <param name="progress">Told what came of each run, in a line.</param>
/// <param name="stop">Ends the run under way.</param>
internal sealed class RunPool(int seconds, Action<string> progress, CancellationToken stop) : IDisposable
{
    private const int SecondsBesideMeasuring = 60;

    private readonly string _folder = Directory.CreateTempSubdirectory("perftools-search-").FullName;
    private int _number;

    /// <summary>Lets the roles of a scenario meet.</summary>
    /// <param name="arguments">The scenario and its options, without time and folder.</param>
    /// <exception cref="OperationCanceledException">A signal came.</exception>
    public RunReport Run(params string[] arguments)
    {
        string folder = Path.Combine(_folder, (++_number).ToString(CultureInfo.InvariantCulture));
        string[] all = ["run", .. arguments, "--seconds", seconds.ToString(CultureInfo.InvariantCulture), "--out", folder];
        RunReport report = Start(all, Path.Combine(folder, RunFile.Name));
        progress(string.Create(CultureInfo.InvariantCulture,
            $"  {string.Join(' ', arguments)}: {(report.IsOk ? "OK" : report.Reason)}, {report.Rate:N0}/s"));
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        return report;
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private RunReport Start(string[] arguments, string resultFile)
    {
        stop.ThrowIfCancellationRequested();
        using Process process = new() { StartInfo = CreateStart(arguments) };
        process.OutputDataReceived += (_, _) => { };
        process.ErrorDataReceived += (_, _) => { };
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(stop);
        limit.CancelAfter(TimeSpan.FromSeconds((3 * seconds) + SecondsBesideMeasuring));
        try
        {
            process.WaitForExitAsync(limit.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true); // it and the roles that it started
            process.WaitForExit();
            stop.ThrowIfCancellationRequested();
            return RunReport.Failed("time is up");
        }
        return File.Exists(resultFile) ? RunReport.Read(resultFile) : RunReport.Failed($"exit code {process.ExitCode} without a result");
    }

    private static ProcessStartInfo CreateStart(string[] arguments)
    {
        RoleCommand command = RoleCommand.ForProgram("perftools", "perftools", arguments);
        return new(command.FileName, command.Arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
    }
}
