using System.Text.Json;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Matrix;

/// <summary>A matrix whose programs run.</summary>
public sealed class MatrixRunTests : IDisposable
{
    private static readonly string StandIn = Path.Combine(AppContext.BaseDirectory, "StandIn.dll");
    private readonly TestFolder _folder = new();

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
