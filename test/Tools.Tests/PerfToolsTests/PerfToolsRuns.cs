using PerfTools;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>
/// Whole runs of perftools, with all the processes of their roles: a few at a time, so that the roles do not starve each other before they
/// listen.
/// </summary>
internal static class PerfToolsRuns
{
    private const int MaxAtATime = 6;
    private static readonly SemaphoreSlim Turns = new(MaxAtATime);

    /// <summary>Runs perftools as its command line says.</summary>
    public static async Task<(int Code, string Output, string Error)> Run(params string[] words)
    {
        using IDisposable turn = await Take(TestContext.Current.CancellationToken);
        using StringWriter output = new(), error = new();
        int code = await Task.Factory.StartNew(() => Program.Run(words, output, error), TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        return (code, output.ToString(), error.ToString());
    }

    /// <summary>Starts perftools on a thread, which costs no process; as a process where the tests are given programs.</summary>
    /// <param name="arguments">Its command line, words without blanks.</param>
    /// <param name="folder">Where its scenario file and its results are.</param>
    public static RunningTool Start(string arguments, string folder) => ToolProcess.OtherFolder is null
        ? new ToolThread(ToolPrograms.PerfToolsName, arguments, folder) : StartProcess(arguments, folder);

    /// <summary>Starts perftools as a process, which can be killed.</summary>
    public static ToolProcess StartProcess(string arguments, string folder) => new(ToolPrograms.PerfToolsName, arguments, folder, "", "");

    /// <summary>Waits for a turn, held until it is disposed.</summary>
    public static async Task<IDisposable> Take(CancellationToken cancel)
    {
        await Turns.WaitAsync(cancel);
        return new Turn();
    }

    private sealed class Turn : IDisposable
    {
        public void Dispose() => Turns.Release();
    }
}
