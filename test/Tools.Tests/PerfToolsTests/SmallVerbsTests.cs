using PerfTools;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Verbs;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary><c>show</c>, <c>items</c> and <c>run -list</c>.</summary>
public sealed class SmallVerbsTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    [Fact]
    public void Show_OldRun_PrintsItsClosingLinesAndWhyItWasNotOk()
    {
        GeneratedRun.Write(_folder.FullPath, seconds: 1, run => run with { Verdict = "SLOW", Reason = "too slow" });
        Assert.Equal(0, Run("show", _folder.FullPath));
        Assert.StartsWith("\nSLOW  updates 1,000,000 sent, 1,000,000 received\n", _output.ToString(), StringComparison.Ordinal);
        Assert.EndsWith($"    files        {_folder.FullPath}/\ntoo slow\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Show_FolderWithoutARun_ExitsWithThree()
    {
        Assert.Equal(3, Run("show", _folder.FullPath));
        Assert.Contains(RunFile.Name, _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void List_OfScenarios_HasALineEach()
    {
        Assert.Equal(0, Run("run", "-list"));
        Assert.Equal(ScenarioList.All.Select(scenario => scenario.Name).Concat(UsersSuite.All.Select(users => users.Name)).Append(ScenarioFileVerb.Built),
            _output.ToString().TrimEnd('\n').Split('\n').Select(line => line.Split(' ')[0]));
        Assert.All(ScenarioList.All, scenario => Assert.Contains(scenario.Summary, _output.ToString(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("")]
    [InlineData("--out")]
    public void Items_WithPrefix_AreAListWithMarks(string place)
    {
        string file = _folder.PathOf("items.xml");
        Assert.Equal(0,
            Run(["items", "--count", "3", "--prefix", "A&B", "--posts", "2", "--generic", "1",
                .. place.Length > 0 ? (string[])[place, file] : []]));
        Assert.Equal(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <itemList>
              <item domain="MarketPrice" name="A&amp;B1" post="true" generic="true"/>
              <item domain="MarketPrice" name="A&amp;B2" post="true"/>
              <item domain="MarketPrice" name="A&amp;B3"/>
            </itemList>

            """,
            place.Length > 0 ? File.ReadAllText(file) : _output.ToString());
    }

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Dispose();
    }

    private int Run(params string[] args) => Program.Run(args, _output, _error);
}
