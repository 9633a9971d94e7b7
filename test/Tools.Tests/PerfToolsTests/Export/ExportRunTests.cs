using Xunit;

namespace Tools.Tests.PerfToolsTests.Export;

/// <summary>The export of runs that were measured.</summary>
public sealed class ExportRunTests : ExportBench
{
    [Fact]
    public async Task Export_OfTwoRealRuns_HasEveryFigureEveryCollectionAndEverySample()
    {
        string[] small = ["--items", "100", "--rate", "2000", "--seconds", "10"];
        foreach (string name in (string[])["first", "deep/second"])
        {
            (int code, _, string error) = await PerfToolsRuns.Run(["run", "direct", .. small, "--out", _folder.PathOf($"runs/{name}")]);
            Assert.True(code is 0 or 6, error); // 6: the machine was too busy for the rate
        }

        Assert.Equal((0, "    written    x/figures.csv\n    written    x/intervals.csv\n    written    x/samples.csv\n"),
            Run("--samples", "--out", _folder.PathOf("x")));
        foreach (string name in (string[])["first", "deep/second"])
            Check(name, "updatesSent");

        Assert.Equal(0, Run("--samples", "--format", "parquet", "--out", _folder.PathOf("x")).Code);
        foreach (string table in (string[])["figures", "intervals", "samples"])
            Assert.Equal(ReadCsv(table), await ReadParquet(table));
    }
}
