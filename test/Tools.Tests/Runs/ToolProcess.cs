using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>A program of ours as a process of its own; what it prints is collected, every wait is bounded.</summary>
internal sealed partial class ToolProcess : IDisposable
{
    public const int HangUp = 1;
    public const int Interrupt = 2;
    public const int Terminate = 15;
    public const int Continue = 18;
    public const int Stop = 19;

    private const string IntervalLine = "UpdRate: ";
    private const string PortLine = "Listening on port ";
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);
    private static readonly string DotNet =
        Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "dotnet"));

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();
    private readonly Lock _lock = new();
    private readonly AutoResetEvent _news = new(initialState: false);

    /// <param name="tool">Name of the program's dll beside the tests.</param>
    /// <param name="arguments">Its command line, words without blanks.</param>
    /// <param name="folder">Working directory.</param>
    /// <param name="redirection">What a shell puts behind the command, such as <c>&gt;&amp;-</c>; empty starts without a shell.</param>
    /// <param name="limits">What a shell does ahead of it, such as <c>ulimit -f 1</c>; empty for nothing.</param>
    public ToolProcess(string tool, string arguments, string folder, string redirection, string limits)
    {
        string[] words = ["exec", Path.Combine(AppContext.BaseDirectory, tool + ".dll"), .. OptionLines.Words(arguments)];
        ProcessStartInfo start = redirection.Length + limits.Length == 0
            ? new(DotNet, words)
            : new("/bin/sh", ["-c", $"{limits}\nexec \"$0\" \"$@\" {redirection}", DotNet, .. words]);
        start.WorkingDirectory = folder;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Collect(_output, line.Data);
        _process.ErrorDataReceived += (_, line) => Collect(_error, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    public string Output => Read(_output);

    public string Error => Read(_error);

    public int Id => _process.Id;

    public bool HasExited => _process.HasExited;

    /// <summary>The port it listens on.</summary>
    public int Port => int.Parse(WaitForLine(PortLine)[PortLine.Length..], CultureInfo.InvariantCulture);

    /// <summary>Waits until all images are there and one more interval was printed.</summary>
    public void WaitForSteadyState()
    {
        WaitForLine("mage retrieval time for");
        WaitForLine(IntervalLine, LinesWith(IntervalLine).Count() + 1);
    }

    /// <summary>Waits for so many lines that hold this text.</summary>
    /// <returns>The last of them.</returns>
    public string WaitForLine(string text, int count = 1)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (true)
        {
            bool ended = HasExited;
            if (LinesWith(text).ElementAtOrDefault(count - 1) is { } found)
                return found;
            Assert.False(ended, $"ended without '{text}': {Describe()}");
            Assert.True(waited.Elapsed < Limit, $"no '{text}': {Describe()}");
            _news.WaitOne(TimeSpan.FromMilliseconds(100));
        }
    }

    public int WaitForExit()
    {
        Assert.True(_process.WaitForExit(Limit), $"still running: {Describe()}");
        _process.WaitForExit(); // until both streams are read to their end
        return _process.ExitCode;
    }

    /// <summary>Waits for the end, and for this exit code with one line of error that holds the text; without text with none.</summary>
    public void ExpectExit(int code, string? reason = null)
    {
        Assert.True(WaitForExit() == code, $"{code} expected: {Describe()}");
        if (reason is null)
        {
            Assert.Equal("", Error);
            return;
        }

        Assert.Single(Error, letter => letter == '\n');
        Assert.Contains(reason, Error, StringComparison.Ordinal);
    }

    public void Signal(int signal) => Assert.Equal(0, Kill(_process.Id, signal));

    public void KillAtOnce() => _process.Kill();

    /// <summary>
    /// True when whoever started the tests made this process ignore a signal, as shells do with SIGINT behind <c>&amp;</c>.
    /// </summary>
    public bool Ignores(int signal) => ProcessSignals.Ignores(Id, signal);

    public void Dispose()
    {
        if (!HasExited)
        {
            _process.Kill();
            _process.WaitForExit(Limit);
        }

        _process.Dispose();
        _news.Dispose();
    }

    private IEnumerable<string> LinesWith(string text) => Output.Split('\n').Where(line => line.Contains(text, StringComparison.Ordinal));

    private string Describe() =>
        $"{string.Join(' ', _process.StartInfo.ArgumentList)}: exit {(HasExited ? _process.ExitCode : -1)}\n{Error}{Output}";

    private string Read(StringBuilder text)
    {
        lock (_lock)
            return text.ToString();
    }

    private void Collect(StringBuilder text, string? line)
    {
        if (line is null)
            return;
        lock (_lock)
            text.Append(line).Append('\n');
        _news.Set();
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
