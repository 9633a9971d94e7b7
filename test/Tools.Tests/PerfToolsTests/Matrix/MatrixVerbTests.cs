using PerfTools.Editions;
using PerfTools.Matrix;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Matrix;

/// <summary>Every combination of programs, in one table.</summary>
public sealed class MatrixVerbTests
{
    [Fact]
    public void TryParseList_Programs_HaveLabelsAndEditions()
    {
        IReadOnlyList<MatrixTool> tools = MatrixTool.TryParseList("ours,c:/opt/eta/ProvPerf,java:\"java -cp a,b ProvPerf\",new:/x/provperf,/y/other.sh")!;
        Assert.Equal(["ours", "c", "java", "new", "other"], tools.Select(tool => tool.Label));
        Assert.Equal([null, Edition.C, Edition.Java, null, null], tools.Select(tool => tool.Edition));
        Assert.Equal(["java", "-cp", "a,b", "ProvPerf"], tools[2].Command.Words);
        Assert.True(tools[0].Command.IsUsual);
    }

    [Theory]
    [InlineData("")]
    [InlineData("ours,ours")]
    [InlineData("c:")]
    [InlineData("c:\"open")]
    public void TryParseList_Nonsense_IsNone(string text) => Assert.Null(MatrixTool.TryParseList(text));

    [Theory]
    [InlineData("--tools: give the programs of a role at least")]
    [InlineData("--tools: hub: unknown role", "--tools", "hub=ours")]
    [InlineData("--repeat: --rounds says how many runs a combination has", "--tools", "consumer=ours", "--repeat", "2")]
    [InlineData("--tool: the provider is external", "--tools", "provider=ours,x:/no", "--external", "provider=h:1")]
    public async Task Run_WrongWords_AreRefused(string problem, params string[] words)
    {
        (int code, _, string error) = await PerfToolsRuns.Run(["matrix", "direct", .. words]);
        Assert.Equal(2, code);
        Assert.StartsWith($"perftools: {problem}", error, StringComparison.Ordinal);
    }
}
