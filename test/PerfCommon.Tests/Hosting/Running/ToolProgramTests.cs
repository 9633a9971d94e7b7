using PerfCommon.Tests.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public sealed class ToolProgramTests : IDisposable
{
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
    }

    [Fact]
    public void Run_Success_IsZeroAndSilent() => Expect(0, "", Run(_ => RunOutcome.Success));

    [Theory]
    [InlineData(ExitCode.NotStarted, 4)]
    [InlineData(ExitCode.Incomplete, 5)]
    [InlineData(ExitCode.AssertionMissed, 6)]
    [InlineData(ExitCode.OutputFile, 7)]
    [InlineData(ExitCode.Interrupted, 130)]
    [InlineData(ExitCode.Terminated, 143)]
    internal void Run_OutcomeOfAnyKind_IsItsCodeAndOneLine(ExitCode code, int expected) =>
        Expect(expected, "Sample: why\n", Run(_ => new RunOutcome(code, "why")));

    [Fact]
    public void Run_SetupException_IsItsCodeAndOneLine() =>
        Expect(3, "Sample: MsgData.xml(41): no\\u000Asuch field\n",
            Run(_ => throw new SetupException(SetupProblem.InputFile, "MsgData.xml(41): no\nsuch field")));

    [Theory]
    [InlineData("-tickrate 5", "Sample: -tickrate: unknown option; did you mean -tickRate?\n")]
    [InlineData("-tickRate 0", "Sample: -tickRate must be at least 1\n")]
    [InlineData("-p x", "Sample: -p: 'x' is not a whole number\n")]
    public void Run_WrongCommandLine_IsTwoAndNothingRuns(string line, string message) =>
        Expect(2, message, Run(_ => throw new InvalidOperationException(), line.Split(' ')));

    [Theory]
    [InlineData("-keypasswd secret", true)]
    [InlineData("--keypasswd=secret", true)]
    [InlineData("-keypasswd @file", false)]
    [InlineData("-p 1", false)]
    public void Run_PasswordOnTheCommandLine_IsWarnedOfOnceAndNeverShown(string line, bool isWarned)
    {
        Expect(0, "", Run(_ => RunOutcome.Success, line.Split(' ')));
        Assert.Equal(isWarned
            ? "Warning: -keypasswd: everybody on this machine can read a password on the command line; @file reads it from a file.\n" : "",
            _output.ToString());
    }

    [Theory]
    [InlineData("-help")]
    [InlineData("-version")]
    public void Run_Help_IsZeroOnTheConsole(string argument)
    {
        Expect(0, "", Run(_ => throw new InvalidOperationException(), argument));
        Assert.NotEqual("", _output.ToString());
    }

    [Fact]
    public void Run_HelpNobodyCanRead_IsSeven()
    {
        using FailingWriter output = new(0, new IOException("no space"));
        Assert.Equal(7, ToolProgram.Run("Sample", () => new SampleTable(), ["-help"], output, _error, (_, _) => RunOutcome.Success));
    }

    [Fact]
    public void Run_ConsoleFailsInTheRun_IsSevenAtItsEnd()
    {
        using FailingWriter output = new(1, new IOException("no space"));
        int turns = 0;
        int code = ToolProgram.Run("Sample", () => new SampleTable(), [], output, _error, (_, host) =>
        {
            for (; turns < 3; turns++)
                host.Console.WriteLine("line");
            return RunOutcome.Success;
        });

        Assert.Equal((7, 3), (code, turns));
        Assert.Equal("Sample: standard output: cannot be written: no space\n", _error.ToString());
    }

    [Fact]
    public void Run_ConsoleFailsInAFailedRun_TheRunDecidesAndBothAreTold()
    {
        using FailingWriter output = new(0, new IOException("no space"));
        int code = ToolProgram.Run("Sample", () => new SampleTable(), [], output, _error, (_, host) =>
        {
            host.Console.WriteLine("line");
            return new RunOutcome(ExitCode.Incomplete, "lost");
        });

        Assert.Equal((5, "Sample: lost; standard output: cannot be written: no space\n"), (code, _error.ToString()));
    }

    [Fact]
    public void Run_ErrorStreamFails_StillSaysItByTheCode()
    {
        using FailingWriter error = new(0, new IOException("no space"));
        Assert.Equal(5,
            ToolProgram.Run("Sample", () => new SampleTable(), [], _output, error, (_, _) => new RunOutcome(ExitCode.Incomplete, "lost")));
    }

    [Fact]
    public void Run_Defect_IsOneWithACrashFile()
    {
        string file = Path.Combine(Environment.CurrentDirectory, $"Sample_crash_{Environment.ProcessId}.txt");
        try
        {
            Expect(1, $"Sample: internal error: broken; details in {Path.GetFileName(file)}\n",
                Run(_ => throw new InvalidOperationException("broken")));
            Assert.Contains(nameof(Run_Defect_IsOneWithACrashFile), File.ReadAllText(file), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private int Run(Func<RunHost, RunOutcome> run, params string[] args) =>
        ToolProgram.Run("Sample", () => new SampleTable(), args, _output, _error, (_, host) => run(host));

    private void Expect(int code, string error, int actual)
    {
        Assert.Equal(error, _error.ToString());
        Assert.Equal(code, actual);
    }
}
