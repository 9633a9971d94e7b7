using System.Diagnostics;

namespace PerfTools.Processes;

/// <summary>One role running as a process: its console goes to a log file and to whoever listens, its end is waited for within limits.</summary>
internal sealed class RoleProcess : IDisposable
{
    private static readonly TimeSpan OutputLimit = TimeSpan.FromSeconds(2);

    private readonly Process _process;
    private readonly ConsoleLog _log;
    private readonly EventWaitHandle _news;
    private readonly TaskCompletionSource _outputEnded = new();
    private readonly Lock _lock = new();
    private int _openStreams = 2;
    private bool _disposed;

    private RoleProcess(RoleCommand command, Process process, ConsoleLog log, EventWaitHandle news) =>
        (Command, _process, _log, _news) = (command, process, log, news);

    /// <summary>What was started.</summary>
    public RoleCommand Command { get; }

    /// <summary>True once this run has asked the role to end.</summary>
    public bool WasAskedToEnd { get; private set; }

    /// <summary>True once the run had to kill it.</summary>
    public bool WasKilled { get; private set; }

    /// <summary>True once the process is gone.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>The exit code; only after <see cref="HasExited"/>.</summary>
    public int ExitCode => _process.ExitCode;

    /// <summary>The last line on its stderr; null when there is none.</summary>
    public string? LastErrorLine => _log.LastErrorLine;

    /// <summary>The port it said it listens on; null until then.</summary>
    public int? Port => _log.Port;

    /// <summary>Starts the role.</summary>
    /// <param name="command">Program and arguments.</param>
    /// <param name="logPath">The file that takes its stdout and stderr.</param>
    /// <param name="news">Set when it prints its port and when it exits.</param>
    /// <exception cref="System.ComponentModel.Win32Exception">The program cannot be started.</exception>
    public static RoleProcess Start(RoleCommand command, string logPath, EventWaitHandle news)
    {
        ConsoleLog log = new(logPath, command.ReadyLine);
        Process process = new()
        {
            StartInfo = new ProcessStartInfo(command.FileName, command.Arguments)
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            },
            EnableRaisingEvents = true,
        };
        RoleProcess role = new(command, process, log, news);
        process.OutputDataReceived += (_, line) => role.Take(line.Data, isError: false);
        process.ErrorDataReceived += (_, line) => role.Take(line.Data, isError: true);
        process.Exited += (_, _) => role.TellNews();
        try
        {
            process.Start();
        }
        catch
        {
            process.Dispose();
            log.Dispose();
            throw;
        }

        process.StandardInput.Close();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return role;
    }

    /// <summary>Asks the role to end in its own time (SIGTERM).</summary>
    public void AskToEnd()
    {
        WasAskedToEnd = true;
        if (!HasExited)
            ProcessSignal.Terminate(_process);
    }

    /// <summary>Blocks until the process is gone and its last line read, or the limit has passed.</summary>
    /// <returns>False when it still runs.</returns>
    public bool WaitForExit(TimeSpan limit)
    {
        if (!_process.WaitForExit(limit))
            return false;
        _outputEnded.Task.Wait(OutputLimit); // bounded: a grandchild may hold the pipe open
        return true;
    }

    /// <summary>Ends the process at once.</summary>
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

    private void Take(string? line, bool isError)
    {
        if (line is not null && _log.Add(line, isError))
            TellNews();
        if (line is null && Interlocked.Decrement(ref _openStreams) == 0)
            _outputEnded.SetResult();
    }

    // The framework's last callbacks may come after everything was disposed.
    private void TellNews()
    {
        lock (_lock)
        {
            if (!_disposed)
                _news.Set();
        }
    }
}
