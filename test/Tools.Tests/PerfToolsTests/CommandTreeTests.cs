using PerfTools;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class CommandTreeTests
{
    [Theory]
    [InlineData("rum", "perftools: rum: unknown verb; did you mean run?")]
    [InlineData("fly", "perftools: fly: unknown verb; -help lists them")]
    [InlineData("run -weird", "perftools: -weird: unknown option; -help lists them")]
    [InlineData("[run] run direct", "perftools: [run]: unexpected argument")]
    [InlineData("run dircet", "perftools: run: dircet: unknown scenario; did you mean direct?")]
    [InlineData("run direct --itms 5", "perftools: --itms: unknown option; did you mean --items?")]
    [InlineData("run direct --items many", "perftools: --items: 'many' is not a whole number")]
    [InlineData("run direct --items 0", "perftools: --items must be at least 1")]
    [InlineData("run direct --latency-rate 5 --rate 4", "perftools: --latency-rate must not exceed --rate")]
    [InlineData("run direct --latency-rate 1000 --generic 500",
        "perftools: --latency-rate must not exceed --generic: a tick sends some of each kind")]
    [InlineData("run direct --connection pigeon", "perftools: --connection: 'pigeon' is not one of socket, encrypted, websocket")]
    [InlineData("run direct --prov=-jsonFile", "perftools: -jsonFile belongs to the run and cannot be given to a role")]
    [InlineData("run reflect --pack 5", "perftools: --pack: unknown option; -help lists them")]
    [InlineData("cert -days 0", "perftools: --days must be 1 to 3650")]
    [InlineData("cert --key dsa", "perftools: --key: 'dsa' is not one of rsa, ecdsa")]
    [InlineData("cert -names a,b/c", "perftools: --names: 'b/c' is no host name and no address")]
    [InlineData("show", "perftools: show: name a folder")]
    [InlineData("compare a", "perftools: compare: name two folders, A and B")]
    [InlineData("merge", "perftools: merge: name the folders")]
    [InlineData("merge a --ot b", "perftools: --ot: unknown option; did you mean --out?")]
    [InlineData("run users-low --place hub", "perftools: --place: 'hub' is not a list such as hub=0,source=1,users=1-5")]
    [InlineData("run users-low --rank auto", "perftools: --rank needs --out, a folder that all ranks share")]
    [InlineData("run users-low --external users=a:1", "perftools: --external: 'users=a:1' is not role=host:port")]
    [InlineData("compare a b --fai p99>1%", "perftools: --fai: unknown option; did you mean --fail?")]
    [InlineData("compare a b --markdown - --json -", "perftools: --markdown and --json cannot both have standard output")]
    [InlineData("run direct --serve 65536", "perftools: --serve: '65536' is not a port, 0 for a free one")]
    [InlineData("duel direct --serve", "perftools: --serve: only perftools run has a live page")]
    [InlineData("run users-low --serve --rank 0/2 --out a", "perftools: --serve cannot be combined with --rank")]
    [InlineData("run direct --repeat 0", "perftools: --repeat must be 1 to 1000")]
    [InlineData("completion ksh", "perftools: completion: ksh: unknown shell; did you mean zsh?")]
    [InlineData("items --count 0", "perftools: --count must be 1 to 10000000")]
    [InlineData("run -lst", "perftools: -lst: unknown option; did you mean -list?")]
    [InlineData("run transport stray", "perftools: stray: unexpected argument")]
    [InlineData("run direct --items 5 -items 6", "perftools: --items: given more than once")]
    [InlineData("run direct --args", "perftools: --args: needs a value <role=\"arguments\">")]
    [InlineData("run direct --args provider", "perftools: --args: 'provider' is not role=\"arguments\" with every quote closed")]
    [InlineData("run direct --args provder=-reactor", "perftools: --args: provder: unknown role; did you mean provider?")]
    [InlineData("run direct --args provider=-reactor --args hub=-reactor", "perftools: --args: hub: unknown role; -help lists them")]
    [InlineData("run direct --args consumer=-jsonFile=x", "perftools: -jsonFile belongs to the run and cannot be given to a role")]
    [InlineData("run transport --external sever=localhost:1", "perftools: --external: sever: unknown role; did you mean server?")]
    [InlineData("run direct --external provider=localhost", "perftools: --external: give provider=host:port")]
    [InlineData("run direct --external provider=", "perftools: --external: 'provider=' is not role=host:port, or the role alone where it connects itself")]
    [InlineData("run direct --external consumer=localhost:1",
        "perftools: --external: the consumer connects itself; give consumer alone")]
    [InlineData("run direct --external provider=localhost:1 --prov=-reactor",
        "perftools: --args: the provider is external and accepts no options from here")]
    public void Run_WrongCommandLine_SaysSoInOneLineAndExitsWithTwo(string commandLine, string expected)
    {
        using StringWriter output = new(), error = new();
        int code = Program.Run(commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries), output, error);
        Assert.Equal((2, "", expected + "\n"), (code, output.ToString(), error.ToString().ReplaceLineEndings("\n")));
    }

    [Theory]
    [InlineData("", "perftools [command] [options]")]
    [InlineData("--help", "perftools [command] [options]")]
    [InlineData("run", "perftools run [command] [options]")]
    [InlineData("run -?", "perftools run [command] [options]")]
    [InlineData("run direct --help", "perftools run direct [options]")]
    [InlineData("run transport -help", "perftools run transport [options]")]
    [InlineData("run reflect -help -nonsense", "perftools run reflect [options]")]
    [InlineData("cert -help", "perftools cert [options]")]
    [InlineData("report -help", "perftools report [<folder>...] [options]")]
    [InlineData("items -help", "perftools items [options]")]
    public void Run_AskedForHelp_PrintsItAndSucceeds(string commandLine, string usage)
    {
        (int code, string text) = Print(commandLine);
        Assert.Equal(0, code);
        Assert.Contains($"Usage:\n  {usage}\n", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("run direct -help", "--rtt  ")]
    [InlineData("run roundtrip -help", "--busy  ")]
    [InlineData("run roundtrip -help", "a role: publisher, subscriber1 to subscriber32; ")]
    public void Run_AskedForHelp_NamesNoValueOfASwitchAndNoRoleThirtyTimes(string commandLine, string expected)
    {
        (_, string text) = Print(commandLine);
        Assert.Contains(expected, text, StringComparison.Ordinal);
        Assert.DoesNotContain(text, letter => letter > 127);
    }

    [Theory]
    [InlineData("-version")]
    [InlineData("--version")]
    [InlineData("run direct -version")]
    public void Run_AskedForTheVersion_PrintsIt(string commandLine) =>
        Assert.Equal((0, $"perftools {typeof(PerfTools.Program).Assembly.GetName().Version!.ToString(3)}\n"), Print(commandLine));

    [Theory]
    [InlineData("--items 7 --rate 8")]
    [InlineData("-items 7 -rate=8")]
    [InlineData("--items=7 -rate:8")]
    public void Parse_OneDashOrTwo_IsTheSame(string line)
    {
        ScenarioOptions options = OptionLines.Accept(DirectScenario.Direct.Options, line);
        Assert.Equal((7, 8), (options.Items, options.Rate));
    }

    [Fact]
    public void Parse_ArgumentsOfRoles_AreAddedUpByRole()
    {
        string[] args = ["--args", "provider=-threads 2", "--args", "consumer=-uname 'a b'", "--prov", "-reactor", "--args",
            "provider=-openLimit=5"];
        ScenarioOptions options = DirectScenario.Direct.Options.Parse(args).Options!;
        Assert.Equal(["-reactor", "-threads", "2", "-openLimit=5"], options.ArgumentsOf("provider"));
        Assert.Equal(["-uname", "a b"], options.ArgumentsOf("consumer"));
    }

    [Fact]
    public void Run_QuoteLeftOpen_IsRefused()
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(2, Program.Run(["run", "direct", "--cons", "-uname 'x"], output, error));
        Assert.Equal("perftools: --cons: '-uname 'x' is not a list of arguments with every quote closed", error.ToString().Trim());
    }

    private static (int Code, string Text) Print(string commandLine)
    {
        using StringWriter output = new(), error = new();
        int code = Program.Run(commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries), output, error);
        Assert.Equal("", error.ToString());
        return (code, output.ToString());
    }
}
