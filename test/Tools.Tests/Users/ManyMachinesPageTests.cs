using PerfTools.Ranks;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The program accepts the command lines of docs/many-machines.md.</summary>
[Trait("Category", "Fast")]
public class ManyMachinesPageTests
{
    private const string Command = "perftools run users";
    private static readonly string[] Page = File.ReadAllLines(Path.Combine(RepositoryRoot.FullPath, "docs", "many-machines.md"));

    public static TheoryData<string> Commands =>
        [.. Page.Where(line =>
            line.Contains(Command, StringComparison.Ordinal)).Select(line => line[line.IndexOf(Command, StringComparison.Ordinal)..])];

    [Theory]
    [MemberData(nameof(Commands))]
    public void Command_IsTakenAndPlacesEveryRole(string line) => Check([.. line.Split(' ').Skip(2)]);

    [Fact]
    public void Launchers_OfThePage_AreThoseThatAreKnown() => Assert.All(
        Launcher.All.SelectMany(launcher => launcher.Counts.Append(launcher.Rank)),
        name => Assert.Contains(Page, line => line.Contains($"`{name}`", StringComparison.Ordinal)));

    private static void Check(string[] words)
    {
        UsersSuite verb = UsersSuite.All.Single(known => known.Name == words[0]);
        UsersOptions options = OptionLines.Accept(verb.Options, string.Join(' ', words.Skip(1)));
        Assert.Null(options.Ranks.Place!.FindProblem(6, []));
        Assert.NotNull(options.Ranks.Rank);
        Assert.NotNull(options.Out);
    }
}
