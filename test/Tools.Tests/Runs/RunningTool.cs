using System.Diagnostics;
using System.Globalization;
using System.Text;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>A program of ours while it runs; its output is collected, every wait is bounded.</summary>
internal abstract class RunningTool : IDisposable
{
    public const int HangUp = 1;
    public const int Interrupt = 2;
    public const int Terminate = 15;

    /// <summary>For a machine on which a hundred others wait for a processor.</summary>
    protected static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private const string IntervalLine = "UpdRate: ";
    private const string PortLine = "Listening on port ";
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();
    private readonly Lock _lock = new();
    private readonly AutoResetEvent _news = new(initialState: false);

    public string Output => Read(_output);

    public string Error => Read(_error);

    public abstract bool HasExited { get; }

    /// <summary>The port it listens on.</summary>
    public int Port => int.Parse(WaitForLine(PortLine)[PortLine.Length..], CultureInfo.InvariantCulture);

    protected abstract int ExitCode { get; }

    /// <summary>Program and command line.</summary>
    protected abstract string Line { get; }

    public abstract void Signal(int signal);

    /// <summary>Waits until all images have arrived and one more interval was printed.</summary>
    public void WaitForSteadyState()
    {
        WaitForLine("mage retrieval time for");
        WaitForLine(IntervalLine, LinesWith(IntervalLine).Count() + 1);
    }

    /// <summary>Waits until TransportPerf has a channel and has shown an interval after that.</summary>
    public void WaitForTraffic()
    {
        WaitForLine("Channel ");
        WaitForLine("  CPU:", LinesWith("  CPU:").Count() + 1);
    }

    /// <summary>Waits for a number of lines that contain this text.</summary>
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

    /// <summary>Waits until the numbers of such lines, each that of one interval, have this sum.</summary>
    public void WaitForSum(string before, string after, int sum)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (SumOf(before, after) < sum)
        {
            Assert.False(HasExited, $"ended with {SumOf(before, after)}{after}: {Describe()}");
            Assert.True(waited.Elapsed < Limit, $"{SumOf(before, after)}{after}: {Describe()}");
            _news.WaitOne(TimeSpan.FromMilliseconds(100));
        }
    }

    public int WaitForExit()
    {
        Assert.True(TryWaitForExit(), $"still running: {Describe()}");
        return ExitCode;
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

    public void Dispose()
    {
        Stop();
        _news.Dispose();
    }

    /// <summary>Ends it if it still runs, and returns what it held.</summary>
    protected abstract void Stop();

    protected abstract bool TryWaitForExit();

    protected void CollectOutput(string text) => Collect(_output, text);

    protected void CollectError(string text) => Collect(_error, text);

    // The last piece may be half a line.
    private int SumOf(string before, string after) =>
        LinesWith(before).Where(line => line.Contains(after, StringComparison.Ordinal))
            .Sum(line => int.Parse(line[(line.IndexOf(before, StringComparison.Ordinal) + before.Length)..line.IndexOf(after, StringComparison.Ordinal)],
                CultureInfo.InvariantCulture));

    private IEnumerable<string> LinesWith(string text) =>
        Output.Split('\n').SkipLast(1).Where(line => line.Contains(text, StringComparison.Ordinal));

    private string Describe() => $"{Line}: exit {(HasExited ? ExitCode : -1)}\n{Error}{Output}";

    private string Read(StringBuilder text)
    {
        lock (_lock)
            return text.ToString();
    }

    private void Collect(StringBuilder to, string text)
    {
        lock (_lock)
            to.Append(text);
        _news.Set();
    }
}
