using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Matrix;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Matrix;

/// <summary>Every combination of programs, in one table.</summary>
public sealed class MatrixVerbTests : IDisposable
{
    private static readonly string StandIn = Path.Combine(AppContext.BaseDirectory, "StandIn.dll");
    private readonly TestFolder _folder = new();

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

    [Fact]
    public async Task Run_PairsWithOneThatFails_ShowsAllOfThem()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "programs of other editions are ended by signals");
        string[] words = ["--rate", "5000", "--items", "100", "--seconds", "10", "--rounds", "2", "--out", _folder.PathOf("m"),
            "--tools", $"consumer=ours,csharp:'dotnet {StandIn} csharp ConsPerf',bad:'dotnet {StandIn} c ConsPerf fault=crash'"];
        (int code, string output, string error) = await PerfToolsRuns.Run(["matrix", "direct", .. words]);

        Assert.True(code is 5 or 6, $"{code}: {error}{output}"); // 6: the machine was too busy for the rate, before the one that fails
        JsonElement matrix = JsonElement.Parse(await File.ReadAllTextAsync(_folder.PathOf("m/matrix.json"), TestContext.Current.CancellationToken));
        Assert.Equal("perftools-matrix-1", matrix.GetProperty("format").GetString());
        JsonElement[] cells = [.. matrix.GetProperty("combinations").EnumerateArray()];
        Assert.Equal(["ours", "csharp", "bad"], cells.Select(cell => cell.GetProperty("tools").GetProperty("consumer").GetString()));
        Assert.All(cells[..2], cell => Assert.True(
            cell.GetProperty("figures").GetProperty("consumer.nanosPerMessage").GetProperty("rounds").GetInt32() == 2, $"{cell}\n{error}{output}"));
        Assert.Empty(cells[2].GetProperty("figures").EnumerateObject());
        Assert.Contains("bad: ConsPerf (the C edition) ended with exit code 139", output, StringComparison.Ordinal);
        Assert.Contains("\ncsharp: keeps a processor busy at any rate", output, StringComparison.Ordinal);
        foreach (string file in (string[])["matrix.html", "matrix.md", "ours/run-1/run.json", "csharp/run-2/report.html", "bad/run-2/run.json"])
            Assert.True(File.Exists(_folder.PathOf("m/" + file)), file);
    }

    public void Dispose() => _folder.Dispose();
}
