using System.Text.Json;
using System.Xml.Linq;
using PerfTools;
using PerfTools.Results.Documents;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary><c>perftools compare</c> over folders that were generated.</summary>
public sealed class CompareVerbTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    [Fact]
    public void Compare_RepeatedRunsWithTheSameFigures_SaysSame()
    {
        Assert.Equal(0, Run(Repeat("a", 3), Repeat("b", 3), "--fail", "p99>+10%,cpu>+5%"));
        Assert.Contains("a  (3 runs, noise from their repeats)\n", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("\nSAME\n", _output.ToString(), StringComparison.Ordinal);
        Assert.Matches(@"\nlatency p99, us +[\d.,]+ +[\d.,]+ +0\.0 % +[\d.]+ %   same\n", _output.ToString());
        Assert.Contains("    fail if  cpu>+5%: 0.0 % (same, noise ", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("all", true)]
    [InlineData("consumer.counts.itemsLost, provider.counts.updatesSent", true)]
    [InlineData("p99", false)]
    [InlineData("consumer", false)]
    [InlineData("all,", false)]
    public void Compare_FiguresOfRoles_AreAllOrNamed(string figures, bool areRead)
    {
        Assert.Equal(areRead ? 0 : 2, Run(Repeat("a", 1), Repeat("b", 1), "--figures", figures));
        if (!areRead)
            Assert.Contains("all, or names such as consumer.counts.itemsLost", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_CostsMore_FailsTheLimitWithSix()
    {
        string b = Repeat("b", 3,
            run => run with { Roles = [.. run.Roles.Select(role => role with { CpuCorePercent = 1.2 * role.CpuCorePercent })] });
        Assert.Equal(6, Run(Repeat("a", 3), b, "--fail", "p99>+10%,cpu>+10%", "--junit", _folder.PathOf("junit.xml")));
        Assert.StartsWith("perftools: compare: cpu>+10%: cpu is +20.0 % (worse, noise ", _error.ToString(), StringComparison.Ordinal);
        XElement suite = XDocument.Load(_folder.PathOf("junit.xml")).Root!;
        Assert.Equal(("2", "1", "cpu>+10%"),
            (suite.Attribute("tests")!.Value, suite.Attribute("failures")!.Value,
                suite.Descendants("failure").Single().Parent!.Attribute("name")!.Value));
    }

    [Fact]
    public void Compare_OtherOption_IsNotComparableAndNamesIt()
    {
        string b = Repeat("b", 1,
            run => run with
            {
                Inputs =
                new Dictionary<string, JsonElement>(run.Inputs) { ["pack"] = JsonSerializer.SerializeToElement(30) }
            });
        Assert.Equal(0, Run(Repeat("a", 1), b, "--markdown", _folder.PathOf("c.md")));
        Assert.Contains("\nNOT COMPARABLE  pack: 1 and 30\n", _output.ToString(), StringComparison.Ordinal);
        Assert.StartsWith("**not comparable**: pack: 1 and 30\n\n|  | A | B | change | noise |  |\n| --- | ---: |",
            File.ReadAllText(_folder.PathOf("c.md")), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_OtherMachine_IsNotComparableAndNamesIt()
    {
        string b = Repeat("b", 1, run => run with { Machine = run.Machine with { Processors = 128 } });
        Assert.Equal(6, Run(Repeat("a", 1), b, "--fail", "p99>+10%"));
        Assert.Contains($"not comparable (processors: {SampleFigures.Run.Machine.Processors} and 128)", _error.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_LongerRun_IsNoOtherConfiguration()
    {
        string b = Repeat("b", 1,
            run => run with
            {
                Inputs =
                new Dictionary<string, JsonElement>(run.Inputs) { ["seconds"] = JsonSerializer.SerializeToElement(99) }
            });
        Assert.Equal(0, Run(Repeat("a", 1), b));
        Assert.Contains("\nSAME\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_JsonOnTheConsole_IsAllThatStandsThere()
    {
        Assert.Equal(0, Run(Repeat("a", 2), Repeat("b", 2), "--json", "-", "--html", _folder.PathOf("c.html")));
        using JsonDocument json = JsonDocument.Parse(_output.ToString());
        Assert.Equal(("perftools-comparison-1", "same"),
            (json.RootElement.GetProperty("format").GetString(), json.RootElement.GetProperty("verdict").GetString()));
        Assert.Equal("rate", json.RootElement.GetProperty("figures")[0].GetProperty("name").GetString());
        Assert.Contains("SAME", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains("<b id=verdict>SAME</b>", File.ReadAllText(_folder.PathOf("c.html")), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_FailedRun_IsNotComparable()
    {
        string b = Repeat("b", 2, run => run with { Verdict = "FAILED", Reason = "connection lost" });
        Assert.Equal(0, Run(Repeat("a", 2), b));
        Assert.Contains("\nNOT COMPARABLE  run-1 of B is FAILED: connection lost\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Compare_FolderWithoutARun_ExitsWithThree()
    {
        Assert.Equal(3, Run(_folder.FullPath, _folder.FullPath));
        Assert.Contains("neither run.json nor folders run-1", _error.ToString(), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Dispose();
    }

    private int Run(params string[] args) => Program.Run(["compare", .. args], _output, _error);

    // One run is its folder, several have folders within.
    private string Repeat(string name, int count, Func<RunDocument, RunDocument>? change = null)
    {
        for (int i = 1; i <= count; i++)
        {
            string folder = Directory.CreateDirectory(_folder.PathOf(count == 1 ? name : $"{name}/run-{i}")).FullName;
            GeneratedRun.Write(folder, seconds: 12, change);
        }

        return _folder.PathOf(name);
    }
}
