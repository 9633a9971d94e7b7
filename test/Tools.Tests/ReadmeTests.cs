using System.Text.RegularExpressions;
using ConsPerf;
using PerfTools.Processes;
using PerfTools.Scenarios;
using PerfTools.Verbs;
using ProvPerf;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>What README says about options and commands is what the programs take.</summary>
public partial class ReadmeTests
{
    private static readonly string[] OptionsOfOtherPrograms = ["-c", "--project", "--source", "--global", "-o"];
    private static readonly string[] OptionsOfEveryProgram = ["-help", "--help", "-?", "-version", "--version"];
    private static readonly string Text = File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "README.md"));

    public static TheoryData<string> Options =>
        new(CodeSpan().Matches(Text).SelectMany(m => OptionName().Matches(m.Groups[1].Value)).Select(m => m.Value).Distinct());

    public static TheoryData<string> Commands => new(
        CodeBlock().Matches(Text).SelectMany(m => m.Groups[1].Value.Split('\n')).Where(line => TryReadCommand(line, out _, out _)).Distinct());

    [Theory]
    [MemberData(nameof(Options))]
    public void Option_NamedInReadme_Exists(string option) =>
        Assert.Contains(option, AllNames().Concat(OptionsOfOtherPrograms).Concat(OptionsOfEveryProgram));

    [Theory]
    [MemberData(nameof(Commands))]
    public void Command_ShownInReadme_IsAccepted(string command)
    {
        Assert.True(TryReadCommand(command, out string program, out string[] args));
        Assert.Null(FindProblem(program, args));
    }

    [Fact]
    public void Commands_InReadme_AreFound() => Assert.InRange(Commands.Count, 8, 100);

    [Theory]
    [InlineData("ConsPerf")]
    [InlineData("ProvPerf")]
    [InlineData("TransportPerf")]
    [InlineData("run direct")]
    [InlineData("run transport")]
    [InlineData("run reflect")]
    [InlineData("cert")]
    public void Help_OfEveryProgram_NamesEveryOptionAndItsDefault(string program)
    {
        (string help, IEnumerable<(string Name, string? Default)> rows) = HelpOf(program);
        foreach ((string name, string? value) in rows)
        {
            int at = help.IndexOf($"\n  {name}", StringComparison.Ordinal);
            Assert.True(at >= 0, $"{program} does not name {name}");
            if (value is { Length: > 0 })
                Assert.Contains($"(default {value})", help[at..].Split("\n  -", 3)[1], StringComparison.Ordinal);
        }
    }

    private static (string Help, IEnumerable<(string Name, string? Default)> Rows) HelpOf(string program) => program switch
    {
        "ConsPerf" => Describe(ConsPerfOptionTable.Instance),
        "ProvPerf" => Describe(ProvPerfOptionTable.Instance),
        "TransportPerf" => Describe(TransportPerfOptionTable.Instance),
        "cert" => DescribeVerb(program, CertVerb.Options),
        _ => DescribeVerb(program, ScenarioList.All.Single(scenario => "run " + scenario.Name == program).Options),
    };

    private static (string, IEnumerable<(string, string?)>) DescribeVerb<T>(string verb, PerfTools.Hosting.CommandLine.OptionTable<T> table)
        where T : class
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(0, PerfTools.Program.Run([.. verb.Split(' '), "-help"], output, error));
        return (output.ToString(), Describe(table).Item2.Select(row => ("-" + row.Item1, row.Item2)));
    }

    private static (string, IEnumerable<(string, string?)>) Describe<T>(PerfTools.Hosting.CommandLine.OptionTable<T> table)
        where T : class =>
        (table.HelpText, table.Rows.Select(row => (row.Name, row.ValueName is null ? null : row.Read(table.Defaults))));

    private static string? FindProblem(string program, string[] args) => (program, args) switch
    {
        ("consperf", _) => ConsPerfOptionTable.Instance.Parse(args).Problem,
        ("provperf", _) => ProvPerfOptionTable.Instance.Parse(args).Problem,
        ("transportperf", _) => TransportPerfOptionTable.Instance.Parse(args).Problem,
        ("perftools", ["cert", .. var rest]) => CertVerb.Options.Parse(rest).Problem,
        ("perftools", ["run", var name, .. var rest]) => FindProblem(ScenarioList.All.Single(s => s.Name == name), rest),
        _ => $"{program}: no such program or verb",
    };

    // The roles' arguments in quotes are checked by the roles' own tables.
    private static string? FindProblem(Scenario scenario, string[] args)
    {
        PerfTools.Hosting.CommandLine.ParsedCommandLine<ScenarioOptions> parsed = scenario.Options.Parse(args);
        return parsed.Problem ?? scenario.Roles.Select(role => FindProblem(role.Tool.ToLowerInvariant(), [.. parsed.Options!.ArgumentsOf(role.Name)]))
            .FirstOrDefault(problem => problem is not null);
    }

    private static bool TryReadCommand(string line, out string program, out string[] args)
    {
        Match match = CommandLine().Match(line);
        program = match.Groups["tool"].Value.ToLowerInvariant();
        bool isSplit = ArgumentText.TrySplit(match.Groups["args"].Value, out IReadOnlyList<string> split, out _);
        args = [.. split];
        return match.Success && isSplit;
    }

    private static IEnumerable<string> AllNames() => ConsPerfOptionTable.Instance.Rows.SelectMany(r => r.AllNames)
        .Concat(ProvPerfOptionTable.Instance.Rows.SelectMany(r => r.AllNames))
        .Concat(TransportPerfOptionTable.Instance.Rows.SelectMany(r => r.AllNames))
        .Concat(ScenarioList.All.SelectMany(s => s.Options.Rows).SelectMany(r => r.AllNames))
        .Concat(CertVerb.Options.Rows.SelectMany(r => r.AllNames));

    [GeneratedRegex("(?<!`)`([^`\n]+)`(?!`)")]
    private static partial Regex CodeSpan();

    [GeneratedRegex(@"(?<=^|\s)--?[a-zA-Z?][\w.-]*")]
    private static partial Regex OptionName();

    [GeneratedRegex("^```\n(.*?)^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex(@"^(?:dotnet run -c Release --project tools/(?<tool>\w+) --|(?<tool>consperf|provperf|transportperf|perftools))(?<args>.*)$")]
    private static partial Regex CommandLine();
}
