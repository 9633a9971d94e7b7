using System.Diagnostics;
using System.Runtime.InteropServices;
using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>A program of ours as a separate process.</summary>
internal sealed partial class ToolProcess : RunningTool
{
    public const int Continue = 18;
    public const int Pause = 19;

    private const string FrameworkVariable = "DOTNET_";

    private readonly Process _process;

    /// <param name="tool">Name of a program in the folder of the tests, or in <see cref="Programs"/>.</param>
    /// <param name="arguments">Its command line, words without blanks.</param>
    /// <param name="folder">Working directory.</param>
    /// <param name="redirection">The words after the command for a shell, such as <c>&gt;&amp;-</c>; empty starts without a shell.</param>
    /// <param name="limits">The shell command before it, such as <c>ulimit -f 1</c>; empty for none.</param>
    /// <param name="isOfFramework">True for the form that the framework executes, even where the tests start another.</param>
    public ToolProcess(string tool, string arguments, string folder, string redirection, string limits, bool isOfFramework = false)
    {
        string? programs = isOfFramework || IsForFramework(limits) ? OtherFolder : Programs;
        RoleCommand command = RoleCommand.ForProgram(
            tool, tool, OptionLines.Words(arguments), programs is null || IsOfTests(tool) ? AppContext.BaseDirectory : programs);
        ProcessStartInfo start = redirection.Length + limits.Length == 0
            ? new(command.FileName, command.Arguments)
            : new("/bin/sh", ["-c", $"{limits}\nexec \"$0\" \"$@\" {redirection}", command.FileName, .. command.Arguments]);
        if (command.Variable is var (name, value))
            start.Environment[name] = value;
        start.WorkingDirectory = folder;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Collect(CollectOutput, line.Data);
        _process.ErrorDataReceived += (_, line) => Collect(CollectError, line.Data);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>
    /// The folder of the programs that the tests start, from the variable <c>PERFTOOLS_TOOLS</c>, and then nothing runs on a thread; null for that
    /// of the tests.
    /// </summary>
    public static string? OtherFolder { get; } = NameIn("PERFTOOLS_TOOLS");

    /// <summary>
    /// The folder of the programs that the tests start as processes, also from <c>PERFTOOLS_PROGRAMS</c>, which leaves on threads what runs there;
    /// null for that of the tests.
    /// </summary>
    public static string? Programs { get; } = OtherFolder ?? NameIn("PERFTOOLS_PROGRAMS");

    public int Id => _process.Id;

    public override bool HasExited => _process.HasExited;

    protected override int ExitCode => _process.ExitCode;

    protected override string Line => string.Join(' ', _process.StartInfo.ArgumentList);

    public override void Signal(int signal) => Assert.Equal(0, Kill(_process.Id, signal));

    /// <summary>Kills it, and returns when the system has given back what it held.</summary>
    public void KillAtOnce()
    {
        _process.Kill();
        Assert.True(_process.WaitForExit(Limit), "it survived SIGKILL");
    }

    // A variable without a value is as good as none.
    private static string? NameIn(string variable) => Environment.GetEnvironmentVariable(variable) is { Length: > 0 } name ? name : null;

    protected override bool TryWaitForExit()
    {
        if (!_process.WaitForExit(Limit))
            return false;
        _process.WaitForExit(); // until both streams are read to their end
        return true;
    }

    protected override void Stop()
    {
        if (!HasExited)
        {
            _process.Kill(entireProcessTree: true);
            _process.WaitForExit(Limit);
        }

        _process.Dispose();
    }

    // What such a variable asks for, a native program does not have, or has in another way.
    private static bool IsForFramework(string limits) => limits.Contains(FrameworkVariable, StringComparison.Ordinal);

    private static bool IsOfTests(string tool) => tool != ToolPrograms.PerfToolsName && !ToolTable.Roles.ContainsKey(tool);

    private static void Collect(Action<string> collect, string? line)
    {
        if (line is not null)
            collect(line + '\n');
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
