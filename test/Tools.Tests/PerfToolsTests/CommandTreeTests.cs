using PerfTools;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public class CommandTreeTests
{
    [Theory]
    [InlineData("", "perftools: a verb is needed; -help lists them")]
    [InlineData("rum", "perftools: rum: unknown verb; did you mean run?")]
    [InlineData("fly", "perftools: fly: unknown verb; -help lists them")]
    [InlineData("run", "perftools: run: a scenario is needed; run -help lists them")]
    [InlineData("run dircet", "perftools: run: dircet: unknown scenario; did you mean direct?")]
    [InlineData("run direct --itms 5", "perftools: --itms: unknown option; did you mean -items?")]
    [InlineData("run direct --items many", "perftools: -items: 'many' is not a whole number")]
    [InlineData("run direct --items 0", "perftools: --items must be at least 1")]
    [InlineData("run direct --latency-rate 5 --rate 4", "perftools: --latency-rate must not exceed --rate")]
    [InlineData("run direct --connection pigeon", "perftools: -connection: 'pigeon' is not one of socket, encrypted, websocket")]
    [InlineData("run direct --prov=-jsonFile", "perftools: -jsonFile belongs to the run and cannot be given to a role")]
    [InlineData("run reflect --pack 5", "perftools: --pack: unknown option; -help lists them")]
    [InlineData("cert -days 0", "perftools: -days must be 1 to 3650")]
    [InlineData("cert -names a,b/c", "perftools: -names: 'b/c' is no host name and no address")]
    [InlineData("run transport stray", "perftools: stray: unexpected argument")]
    public void Run_WrongCommandLine_SaysSoInOneLineAndExitsWithTwo(string commandLine, string expected)
    {
        using StringWriter output = new(), error = new();
        int code = Program.Run(commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries), output, error);
        Assert.Equal((2, "", expected + "\n"), (code, output.ToString(), error.ToString().ReplaceLineEndings("\n")));
    }

    [Theory]
    [InlineData("--help", "Usage: perftools <verb> ...\n")]
    [InlineData("run -?", "Usage: perftools run <scenario> <Options>\n")]
    [InlineData("run direct --help", "Usage: perftools run direct <Options>\n")]
    [InlineData("run transport -help", "Usage: perftools run transport <Options>\n")]
    [InlineData("run reflect -help -nonsense", "Usage: perftools run reflect <Options>\n")]
    [InlineData("cert -help", "Usage: perftools cert <Options>\n")]
    [InlineData("--version", "perftools 0.1.0\n")]
    public void Run_AskedForHelp_PrintsItAndSucceeds(string commandLine, string start)
    {
        using StringWriter output = new(), error = new();
        int code = Program.Run(commandLine.Split(' '), output, error);
        Assert.Equal((0, ""), (code, error.ToString()));
        Assert.StartsWith(start, output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_QuoteLeftOpen_IsRefused()
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(2, Program.Run(["run", "direct", "--cons", "-uname 'x"], output, error));
        Assert.Equal("perftools: -cons: '-uname 'x' is not a list of arguments with every quote closed", error.ToString().Trim());
    }
}
