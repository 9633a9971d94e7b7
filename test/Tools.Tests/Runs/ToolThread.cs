using System.Runtime.InteropServices;
using PerfCommon.Tests;
using PerfTools.Hosting.Running;

namespace Tools.Tests.Runs;

/// <summary>
/// A program of ours on a thread of the tests: all of it from its command line to its exit code, with separate signals, without the cost of
/// starting a process.
/// </summary>
internal sealed class ToolThread : RunningTool
{
    private readonly RunSignals _signals = RunSignals.OfThread();
    private readonly TestThread _thread;
    private readonly string[] _words;
    private int _exitCode = -1;

    /// <param name="tool">Name of the program.</param>
    /// <param name="arguments">Its command line, words without blanks.</param>
    /// <param name="folder">Where its files are, as the working directory of a process would be.</param>
    public ToolThread(string tool, string arguments, string folder)
    {
        Func<string[], TextWriter, TextWriter, RunSignals?, int> program = ToolPrograms.Find(tool);
        string[] words = OptionLines.Words(arguments);
        _words = tool == ToolPrograms.PerfToolsName ? PlaceResults(words, folder) : ToolTable.Roles[tool].PlaceFiles(words, folder);
        _thread = new TestThread(() =>
        {
            // what it prints is what it would print with the folder as its working directory
            string Shorten(string text) => text.Replace(folder + Path.DirectorySeparatorChar, "", StringComparison.Ordinal);
            using CollectingWriter output = new(text => CollectOutput(Shorten(text))), error = new(text => CollectError(Shorten(text)));
            _exitCode = program(_words, output, error, _signals);
        }, tool);
        _thread.Start();
    }

    public override bool HasExited => !_thread.IsAlive;

    protected override int ExitCode => _exitCode;

    protected override string Line => $"{_thread.Name} {string.Join(' ', _words)}";

    public override void Signal(int signal) => _signals.Receive(signal switch
    {
        HangUp => PosixSignal.SIGHUP,
        Interrupt => PosixSignal.SIGINT,
        Terminate => PosixSignal.SIGTERM,
        _ => throw new ArgumentOutOfRangeException(nameof(signal), signal, "only a process can be given this signal"),
    });

    protected override bool TryWaitForExit() => _thread.Join(Limit);

    protected override void Stop()
    {
        _signals.Receive(PosixSignal.SIGTERM);
        if (_thread.Join(Limit))
            _signals.Dispose();
    }

    // perftools reads a scenario file and writes a folder.
    private static string[] PlaceResults(string[] words, string folder) => [.. words.Select((word, i) =>
        (i > 0 && words[i - 1] == "--out") || word.EndsWith(".json", StringComparison.Ordinal) ? Path.Combine(folder, word) : word)];
}
