using System.Diagnostics;
using System.Net.NetworkInformation;
using System.Runtime.InteropServices;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Processes;

/// <summary>
/// One role running as a process: its console is written to a log file and passed to a listener, the wait for its end is bounded.
/// </summary>
internal sealed partial class RoleProcess : IDisposable
{
    private const int Sigint = 2;
    private const int Sigterm = 15;
    private static readonly TimeSpan OutputLimit = TimeSpan.FromSeconds(2);

    private readonly Process _process;
    private readonly ConsoleLog _log;
    private readonly EventWaitHandle _news;
    private readonly TaskCompletionSource _outputEnded = new();
    private readonly Lock _lock = new();
    private int _openStreams = 2;
    private int? _port;
    private bool _disposed;

    private RoleProcess(RoleCommand command, ConsoleLog log, EventWaitHandle news)
    {
        (Command, _log, _news) = (command, log, news);
        _process = new()
        {
            StartInfo = new ProcessStartInfo(command.FileName, command.Arguments)
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                WorkingDirectory = command.WorkingFolder ?? "",
            },
            EnableRaisingEvents = true,
        };
        _process.StartInfo.Environment[RunSignals.ParentVariable] = "1";
        if (command.Variable is { } variable)
            _process.StartInfo.Environment[variable.Name] = variable.Value;
        if (command.Attributes is { } attributes)
            _process.StartInfo.Environment[RunLabels.Variable] = attributes;
        if (command.Token is { } token)
            _process.StartInfo.Environment[ControlOptions.TokenVariable] = token; // no argument: every user can see those
        _process.OutputDataReceived += (_, line) => ReceiveLine(line.Data, isError: false);
        _process.ErrorDataReceived += (_, line) => ReceiveLine(line.Data, isError: true);
        _process.Exited += (_, _) => SignalNews();
    }

    public RoleCommand Command { get; }
    public bool IsEndRequested { get; private set; }
    public bool WasKilled { get; private set; }

    public bool HasExited => _process.HasExited;

    /// <summary>The exit code; only after <see cref="HasExited"/>.</summary>
    public int ExitCode => _process.ExitCode;

    /// <inheritdoc cref="ConsoleLog.LastErrorLine"/>
    public string? LastErrorLine => _log.LastErrorLine;

    /// <inheritdoc cref="ConsoleLog.Failure"/>
    public string? LogFailure => _log.Failure;

    /// <inheritdoc cref="ConsoleLog.LastLine"/>
    public string? LastLine => _log.LastLine;

    /// <summary>When it was started.</summary>
    public DateTime StartUtc { get; private set; }

    /// <summary>The number of its process.</summary>
    public int Id => _process.Id;

    /// <summary>The port that it printed, or on which it was seen to listen; null until then.</summary>
    public int? Port => _port ??= _log.Port ?? (Command.ListenPort is { } port && IsListening(port) ? port : null);

    /// <summary>Starts the role; the event is set when it prints its port and when it exits.</summary>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    /// <exception cref="PerfCommon.SetupException">Its log cannot be created.</exception>
    public static RoleProcess Start(RoleCommand command, string logPath, EventWaitHandle news)
    {
        RoleProcess role = new(command, new ConsoleLog(logPath, command.ReadyLine), news);
        try
        {
            role.StartUtc = DateTime.UtcNow;
            role._process.Start();
        }
        catch
        {
            role._process.Dispose();
            role._log.Dispose();
            throw;
        }

        role._process.BeginOutputReadLine();
        role._process.BeginErrorReadLine();
        return role;
    }

    /// <summary>
    /// Asks the role to end in an orderly way by the end of its standard input, which our own end would cause as well; a program that is none
    /// of ours gets SIGINT, too.
    /// </summary>
    public void RequestEnd()
    {
        IsEndRequested = true;
        if (Command.EndsBySignal && !HasExited && !OperatingSystem.IsWindows())
            Signal(Sigint);
        _process.StandardInput.Close();
    }

    /// <summary>Sends SIGTERM as the second request to end; where there are no signals the process is killed.</summary>
    public void Terminate()
    {
        if (HasExited)
            return;
        if (OperatingSystem.IsWindows())
            Kill();
        else
            Signal(Sigterm);
    }

    /// <summary>Blocks until the process has ended and its last line is read, or the limit has passed; false when it still runs.</summary>
    public bool WaitForExit(TimeSpan limit)
    {
        if (!_process.WaitForExit(limit))
            return false;
        _outputEnded.Task.Wait(OutputLimit); // bounded: a grandchild may hold the pipe open
        return true;
    }

    public void Kill()
    {
        if (HasExited)
            return;
        WasKilled = true;
        _process.Kill(entireProcessTree: true);
        WaitForExit(OutputLimit);
    }

    public void Dispose()
    {
        Kill();
        lock (_lock)
            _disposed = true;
        _process.Dispose();
        _log.Dispose();
    }

    private static bool IsListening(int port) =>
        IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Any(place => place.Port == port);

    // A process that has ended already is no failure.
    private void Signal(int signal) => _ = Send(Command.IsSession ? -_process.Id : _process.Id, signal);

    private void ReceiveLine(string? line, bool isError)
    {
        if (line is not null)
            Command.OnLine?.Invoke(line);
        if (line is not null && _log.Add(line, isError))
            SignalNews();
        if (line is null && Interlocked.Decrement(ref _openStreams) == 0)
            _outputEnded.SetResult();
    }

    // .NET itself can only kill.
    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Send(int processId, int signal);

    // The last callbacks of .NET may arrive after everything is disposed.
    private void SignalNews()
    {
        lock (_lock)
        {
            if (!_disposed)
                _news.Set();
        }
    }
}
