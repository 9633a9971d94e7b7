using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace PerfCommon.Benchmarks.Ladder;

/// <summary>Runs perftools, one process at a time, each in a folder of its own and within a time; nothing stays behind.</summary>
internal sealed class RunPool : IDisposable
{
    private const int SecondsBesideMeasuring = 60;

    private readonly string _folder = Directory.CreateTempSubdirectory("perftools-ladder-").FullName;
    private readonly Action<string> _progress;
    private readonly CancellationToken _stop;
    private int _number;

    public RunPool(LadderOptions options, Action<string> progress, CancellationToken stop)
    {
        _progress = progress;
        _stop = stop;
        Seconds = options.EffectiveSeconds;
        Quick = options.Quick;
    }

    /// <summary>Seconds of measuring in each run.</summary>
    public int Seconds { get; }

    /// <summary>True when fewer rungs are enough.</summary>
    public bool Quick { get; }

    /// <summary>Lets two roles meet.</summary>
    /// <param name="arguments">The scenario and its options, without time and folder.</param>
    /// <exception cref="OperationCanceledException">A signal came.</exception>
    public RunReport Run(params string[] arguments)
    {
        string folder = Path.Combine(_folder, (++_number).ToString(CultureInfo.InvariantCulture));
        string[] all = ["run", .. arguments, "--seconds", Seconds.ToString(CultureInfo.InvariantCulture), "--out", folder];
        RunReport report = Start(all, Path.Combine(folder, "run.json"));
        _progress(string.Create(CultureInfo.InvariantCulture,
            $"  {string.Join(' ', arguments)}: {(report.IsOk ? "OK" : report.Reason)}, {report.Rate:N0}/s"));
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        return report;
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private RunReport Start(string[] arguments, string resultFile)
    {
        _stop.ThrowIfCancellationRequested();
        using Process process = new() { StartInfo = CreateStart(arguments) };
        process.OutputDataReceived += (_, _) => { };
        process.ErrorDataReceived += (_, _) => { };
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        using CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(_stop);
        limit.CancelAfter(TimeSpan.FromSeconds((3 * Seconds) + SecondsBesideMeasuring));
        try
        {
            process.WaitForExitAsync(limit.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true); // it and the roles that it started
            process.WaitForExit();
            _stop.ThrowIfCancellationRequested();
            return RunReport.Failed("time is up");
        }
        return File.Exists(resultFile) ? new RunReport(File.ReadAllText(resultFile)) : RunReport.Failed($"exit code {process.ExitCode} without a result");
    }

    private static ProcessStartInfo CreateStart(string[] arguments)
    {
        string host = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
        return new(host, ["exec", Path.Combine(AppContext.BaseDirectory, "perftools.dll"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
    }
}
