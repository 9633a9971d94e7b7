using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using PerfTools.Processes;

namespace Tools.Tests;

/// <summary>One of our programs as a process of its own, in a directory of its own, ended at the latest with the test.</summary>
internal sealed partial class ToolProcess : IDisposable
{
    public const int Interrupt = 2;
    public const int Terminate = 15;
    public const int Stop = 19;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();
    private readonly TaskCompletionSource<int> _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly TaskCompletionSource _measured = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private ToolProcess(ProcessStartInfo start)
    {
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, e) => TakeLine(_output, e.Data);
        _process.ErrorDataReceived += (_, e) => TakeLine(_error, e.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Output => Copy(_output);

    public string Error => Copy(_error);

    /// <summary>Starts a tool that lies beside the tests, or in the folder that the variable <c>PERFTOOLS_TOOLS</c> names.</summary>
    public static ToolProcess Start(string tool, string directory, string line)
    {
        RoleCommand command = CommandOf(tool, OptionLines.Words(line));
        return new(CreateStart(command.FileName, directory, command.Arguments));
    }

    /// <summary>Starts a tool whose standard output goes where a shell redirection says.</summary>
    public static ToolProcess StartRedirected(string tool, string directory, string line, string redirection) =>
        new(CreateStart("/bin/sh", directory,
            ["-c", $"exec {CommandOf(tool, [])} {line} {redirection}"]));

    /// <summary>The port that the tool says it listens on.</summary>
    public Task<int> ListeningPort(CancellationToken cancel) => _listening.Task.WaitAsync(Limit, cancel);

    /// <summary>Until the tool tells about its first channel.</summary>
    public Task Connected(CancellationToken cancel) => _connected.Task.WaitAsync(Limit, cancel);

    /// <summary>Until the tool has shown an interval after its first channel.</summary>
    public Task Measured(CancellationToken cancel) => _measured.Task.WaitAsync(Limit, cancel);

    /// <summary>Waits for the tool's own end.</summary>
    public async Task<int> ExitCode(CancellationToken cancel)
    {
        await _process.WaitForExitAsync(cancel).WaitAsync(Limit, cancel);
        return _process.ExitCode;
    }

    /// <summary>True when a signal would not reach the tool.</summary>
    public bool Ignores(int signal) => ProcessSignals.Ignores(_process.Id, signal);

    public void Signal(int number)
    {
        if (Kill(_process.Id, number) != 0)
            throw new InvalidOperationException("the process could not be signalled");
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    private static RoleCommand CommandOf(string tool, IReadOnlyList<string> arguments) =>
        RoleCommand.ForProgram(tool, tool, arguments, Environment.GetEnvironmentVariable("PERFTOOLS_TOOLS"));

    private static ProcessStartInfo CreateStart(string program, string directory, IEnumerable<string> args) =>
        new(program, args) { WorkingDirectory = directory, RedirectStandardOutput = true, RedirectStandardError = true };

    private static string Copy(StringBuilder text)
    {
        lock (text)
            return text.ToString();
    }

    private void TakeLine(StringBuilder text, string? line)
    {
        if (line is null)
            return;
        lock (text)
            text.Append(line).Append('\n');
        const string listening = "Listening on port ";
        if (line.StartsWith(listening, StringComparison.Ordinal))
            _listening.TrySetResult(int.Parse(line.AsSpan(listening.Length), CultureInfo.InvariantCulture));
        if (line.StartsWith("Channel ", StringComparison.Ordinal))
            _connected.TrySetResult();
        if (line.StartsWith("  CPU:", StringComparison.Ordinal) && _connected.Task.IsCompleted)
            _measured.TrySetResult();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
