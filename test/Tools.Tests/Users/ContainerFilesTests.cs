using System.Text.Json;
using System.Text.RegularExpressions;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The programs accept what the image, the composition of containers and the job of a cluster start.</summary>
[Trait("Category", "Fast")]
public partial class ContainerFilesTests
{
    private static readonly string Job = Read("etc/kubernetes/job.yaml");
    private static readonly string Composition = Read("etc/container/compose.yaml");

    // The values of the job, by name.
    private static readonly Dictionary<string, string> Values =
        Literal().Matches(Read("etc/kubernetes/kustomization.yaml")).ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value);

    private static readonly Dictionary<string, string[]> Services = Service().Matches(Composition)
        .ToDictionary(match => match.Groups[1].Value, match => JsonSerializer.Deserialize<string[]>(match.Groups[2].Value)!);

    [Fact]
    public void Job_ArgumentsWithItsValues_AreAcceptedAndPlaceEveryRole()
    {
        Dictionary<string, string> known = new(Values) { ["POD_IP"] = "10.0.0.1", ["PERFTOOLS_RUN_ID"] = "first" };
        string args = Assert.Single(Job.Split('\n'), line => line.TrimStart().StartsWith("args: ", StringComparison.Ordinal)).Trim()["args: ".Length..];
        string[] words = [.. JsonSerializer.Deserialize<string[]>(args)!.Select(word => Variable().Replace(word, match => known[match.Groups[1].Value]))];

        Assert.Equal("run", words[0]);
        UsersSuite verb = UsersSuite.All.Single(one => one.Name == words[1]);
        UsersOptions options = OptionLines.Accept(verb.Options, string.Join(' ', words.Skip(2)));
        Assert.Null(options.Ranks.Place!.FindProblem(int.Parse(Values["PERFTOOLS_RANKS"], System.Globalization.CultureInfo.InvariantCulture), []));
        Assert.NotNull(options.Ranks.Rank);
        Assert.Equal("/shared/first", options.Out);
    }

    [Theory]
    [InlineData("completionMode: Indexed")]
    [InlineData("backoffLimit: 0")]
    [InlineData("completions: 6")]
    [InlineData("parallelism: 6")]
    public void Job_HasTheLine(string line) => Assert.Contains(Job.Split('\n'), one => one.Trim() == line);

    [Fact]
    public void Job_EveryValueThatItNames_IsGiven() => Assert.All(
        Variable().Matches(Job).Select(match => match.Groups[1].Value),
        name => Assert.True(Values.ContainsKey(name) || Job.Contains($"- name: {name}\n", StringComparison.Ordinal), name));

    [Fact]
    public void Values_EachOfThem_IsInThePage()
    {
        string page = Read("docs/many-machines.md");
        Assert.All(Values.Keys, name => Assert.Contains($"`{name}`", page, StringComparison.Ordinal));
    }

    [Fact]
    public void Composition_EveryCommand_IsAccepted()
    {
        Assert.Equal(["provider", "hub", "consumer"], Services.Keys);
        Assert.All(Services.Values, words => Assert.Null(
            ToolTable.Roles.Single(role => role.Key.Equals(words[0], StringComparison.OrdinalIgnoreCase)).Value.FindProblem(words[1..])));
    }

    [Fact]
    public void Composition_EachContainer_FindsTheOneBeforeIt()
    {
        Assert.Equal("provider:" + After("provider", "-p"), After("hub", "-upstream"));
        Assert.Equal("hub", After("consumer", "-h"));
        Assert.Equal(After("hub", "-p"), After("consumer", "-p"));
    }

    [Fact]
    public void Image_EntryPoint_IsWhereItsFilesAreLaid()
    {
        string entry = EntryPoint().Match(Read("Containerfile")).Groups[1].Value;
        Assert.Contains($"program=$root{Path.GetDirectoryName(entry)!.Replace('\\', '/')}\n", Read("etc/container/make-root.sh"), StringComparison.Ordinal);
        Assert.EndsWith("/perftools", entry, StringComparison.Ordinal);
    }

    private static string After(string service, string option) => Services[service][Array.IndexOf(Services[service], option) + 1];

    private static string Read(string path) => File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, path)).ReplaceLineEndings("\n");

    [GeneratedRegex(@"^ +- ([A-Z_]+)=([^ \n]+)", RegexOptions.Multiline)]
    private static partial Regex Literal();

    [GeneratedRegex(@"\$\(([A-Z_]+)\)")]
    private static partial Regex Variable();

    [GeneratedRegex(@"^  (\w+):\n    image: perftools\n    command: (\[.*\])$", RegexOptions.Multiline)]
    private static partial Regex Service();

    [GeneratedRegex("^ENTRYPOINT \\[\"([^\"]+)\"\\]", RegexOptions.Multiline)]
    private static partial Regex EntryPoint();
}
