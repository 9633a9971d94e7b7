using PerfTools.Hosting.CommandLine;
using Xunit;

namespace PerfCommon.Tests.Hosting.CommandLine;

public sealed class OptionTableTests
{
    private static readonly SampleTable Table = new();

    [Theory]
    [InlineData("-h 10.0.0.1", "10.0.0.1")]
    [InlineData("-h=::1", "::1")]
    [InlineData("--h there", "there")]
    public void Parse_Host_IsTaken(string line, string host) => Assert.Equal(host, Options(line).Host);

    [Theory]
    [InlineData("-p:99", 99)]
    [InlineData("-p 99", 99)]
    [InlineData("--p=99", 99)]
    public void Parse_Number_IsTaken(string line, int port) => Assert.Equal(port, Options(line).Port);

    [Theory]
    [InlineData("-reactor", true)]
    [InlineData("-reactor true", true)]
    [InlineData("-reactor FALSE", false)]
    [InlineData("-reactor -p 3", true)]
    [InlineData("-session", true)]
    public void Parse_Switch_IsTaken(string line, bool reactor) => Assert.Equal(reactor, Options(line).Reactor);

    [Theory]
    [InlineData("-threads -1", "1")]
    [InlineData("-threads 1,-1", "1,-1")]
    [InlineData("-threads 1,3", "1,3")]
    [InlineData("-threads 4", "4")]
    public void Parse_Threads_AreTaken(string line, string plan) => Assert.Equal(plan, Options(line).Run.Threads.ToString());

    [Fact]
    public void Parse_RateAll_StampsEverything() => Assert.True(Options("-rate all").Rate.All);

    [Fact]
    public void Parse_DashDashName_IsTheSameOption() => Assert.Equal(5, Options("--tickRate 5").TickRate);

    [Fact]
    public void Parse_AtSign_IsNoResponseFile() => Assert.Equal("(given)", Options("-keypasswd @file").Password.ToString());

    [Fact]
    public void Parse_MisspelledServiceId_IsAccepted() => Assert.Equal(7, Options("-serviceld 7").ServiceId);

    [Fact]
    public void Parse_Nothing_GivesDefaults() => Assert.Equal(new SampleOptions().Port, Options("").Port);

    [Theory]
    [InlineData("-hots x", "-hots: unknown option")]
    [InlineData("-p14002", "-p14002: unknown option")]
    [InlineData("-tickrate 5", "-tickrate: unknown option; did you mean -tickRate?")]
    [InlineData("-h -p 3", "-h: needs a value <host>")]
    [InlineData("-p", "-p: needs a value <port>")]
    [InlineData("-p 1,000", "-p: '1,000' is not a whole number")]
    [InlineData("-p 1.5", "-p: '1.5' is not a whole number")]
    [InlineData("-p 99999999999", "-p: '99999999999' is not a whole number")]
    [InlineData("-p 1 -p 2", "-p: given more than once")]
    [InlineData("-p 1 --p 2", "-p: given more than once")]
    [InlineData("-reactor -reactor", "-reactor: given more than once")]
    [InlineData("-reactor maybe", "-reactor: 'maybe' is not true or false")]
    [InlineData("foo", "foo: unexpected argument")]
    [InlineData("/p 3", "/p: unexpected argument")]
    [InlineData("[suggest]", "[suggest]: unexpected argument")]
    [InlineData("-threads 0", "-threads: '0' is not a number of threads")]
    [InlineData("-threads x", "-threads: 'x' is not a number of threads")]
    [InlineData("-rate some", "-rate: 'some' is not a whole number or all")]
    [InlineData("-tickRate 0", "-tickRate must be at least 1")]
    [InlineData("-tunnel", "-tunnel: tunnel streams are not part of this tool")]
    public void Parse_WrongLine_NamesTheOption(string line, string beginning)
    {
        ParsedCommandLine<SampleOptions> parsed = Table.Parse(Words(line));
        Assert.Null(parsed.Options);
        Assert.StartsWith(beginning, parsed.Problem, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', parsed.Problem!);
    }

    [Theory]
    [InlineData("-p=")]
    [InlineData("-h=")]
    public void Parse_EmptyValue_IsRefused(string line) => Assert.NotNull(Table.Parse(Words(line)).Problem);

    [Fact]
    public void Parse_ControlCharacters_AreEscaped() =>
        Assert.Equal("a\\u000Ab: unexpected argument", Table.Parse(["a\nb"]).Problem);

    [Theory]
    [InlineData("-help")]
    [InlineData("--help")]
    [InlineData("-?")]
    [InlineData("-help -bogus")]
    [InlineData("-p 3 -help")]
    public void Parse_Help_GivesEveryOption(string line)
    {
        string? text = Table.Parse(Words(line)).Text;
        Assert.StartsWith("Usage: Sample <Options>\n", text, StringComparison.Ordinal);
        Assert.All(Table.Rows, row => Assert.Contains($"\n  {row.Name}", text, StringComparison.Ordinal));
        Assert.Contains("-serviceld", text, StringComparison.Ordinal);
        Assert.DoesNotContain("tunnel", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-version")]
    [InlineData("--version")]
    public void Parse_Version_NamesTheTool(string line) =>
        Assert.StartsWith("Sample ", Table.Parse(Words(line)).Text, StringComparison.Ordinal);

    [Fact]
    public void CreateHelp_Line_HasNamesMeaningAndDefault() => Assert.Contains(
        "  -p <port>                       port to connect to (default 14002)\n", Table.CreateHelp(columns: null),
        StringComparison.Ordinal);

    [Fact]
    public void CreateHelp_NarrowTerminal_GoesOnBelowTheMeaning() => Assert.Contains(
        "  -p <port>                       port to connect to\n                                  (default 14002)\n",
        Table.CreateHelp(columns: 60), StringComparison.Ordinal);

    [Fact]
    public void CreateHelp_Groups_StandInTheirOrder() => Assert.StartsWith(
        "Usage: Sample <Options>\n\nCommon:\n  -threads <list>", Table.CreateHelp(columns: null), StringComparison.Ordinal);

    [Fact]
    public void NotYet_AnythingButTheDefault_IsRefusedAndNotInTheHelp()
    {
        SampleTable table = new();
        table.Number("-later", "n", "some day", o => o.ServiceId, (o, v) => o with { ServiceId = v }).NotYet();

        Assert.Equal("-later: not available in this version", table.Parse(["-later", "7"]).Problem);
        Assert.Null(table.Parse(["-later", "1"]).Problem);
        Assert.DoesNotContain("-later", table.CreateHelp(columns: null), StringComparison.Ordinal);
    }

    [Fact]
    public void DescribeInputs_Labelled_InOrder() =>
        Assert.Equal([("Hostname", "localhost"), ("Port", "14002"), ("Tick Rate", "5/s"), ("Reactor", "Yes"), ("Thread Count", "1")],
            Table.DescribeInputs(Options("-tickRate 5 -reactor")));

    [Fact]
    public void DescribeInputs_RowAfterTheGuides_IsShownWhereItDiffersFromItsDefault()
    {
        GuidedTable table = new();
        Assert.Equal([("First", "1")], table.DescribeInputs(table.Defaults));
        Assert.Equal([("First", "1"), ("Second", "9")], table.DescribeInputs(table.Defaults with { TickRate = 9 }));
    }

    [Fact]
    public void CreateHelp_SwitchAndOptionWithSynonym_NameWhatFollowsThem()
    {
        string help = Table.CreateHelp(columns: null);
        Assert.Contains("\n  -reactor, -session              use the session layer\n", help, StringComparison.Ordinal);
        Assert.Contains("\n  -serviceId, -serviceld <n>      its id (default 1)\n", help, StringComparison.Ordinal);
        Assert.Contains("\n  -bindThread <cpu>               bind it\n", help, StringComparison.Ordinal); // it has no default
        Assert.EndsWith("\n\n  -help, -?                       this text\n  -version                        the version of this program\n"
            + "  -completion <shell>             print a script by which a shell completes options and values:\n"
            + "                                  bash, zsh, fish or powershell\n", help, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-completion bash", null)]
    [InlineData("-completion", "-completion: '' is not one of bash, zsh, fish, powershell")]
    [InlineData("-completion csh", "-completion: 'csh' is not one of bash, zsh, fish, powershell")]
    public void Parse_Completion_WritesTheScriptOfAShell(string line, string? problem)
    {
        ParsedCommandLine<SampleOptions> parsed = Table.Parse(Words(line));
        Assert.Equal((problem, problem is null, null), (parsed.Problem, parsed.Text is not null, parsed.Options));
        if (parsed.Text is { } script)
            Assert.All((string[])["-serviceId", "-help", "-version", "-completion", "sample"], word => Assert.Contains(word, script, StringComparison.Ordinal));
    }

    [Fact]
    public void Number_NameTwice_IsADefect()
    {
        SampleTable table = new();
        Assert.Throws<InvalidOperationException>(() => table.Number("-p", "n", "again", o => o.Port, (o, v) => o with { Port = v }));
    }

    private static SampleOptions Options(string line)
    {
        ParsedCommandLine<SampleOptions> parsed = Table.Parse(Words(line));
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }

    private static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    private sealed class GuidedTable : OptionTable<SampleOptions>
    {
        public GuidedTable()
            : base("Guided", new SampleOptions { Port = 1, TickRate = 2 }, _ => null)
        {
            Number("-first", "n", "of the guide", o => o.Port, (o, v) => o with { Port = v }).As("First");
            EndGuideRows();
            Number("-second", "n", "of ours", o => o.TickRate, (o, v) => o with { TickRate = v }).As("Second");
        }
    }
}
