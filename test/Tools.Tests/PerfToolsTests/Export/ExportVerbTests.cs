using PerfTools.Results.Documents;
using Tools.Tests.PerfToolsTests.Reports;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Export;

public sealed class ExportVerbTests : ExportBench
{
    private static readonly string[] FigureColumns = ["run", "scenario", "startUtc", "verdict", "toolsVersion", "commit", "role", "figure", "title", "value"];

    [Fact]
    public async Task Export_OfTwoRuns_HasEveryFigureEveryCollectionAndEverySample()
    {
        string[] names = ["first", "deep/second"];
        foreach (string name in names)
        {
            Directory.CreateDirectory(_folder.PathOf($"runs/{name}"));
            GeneratedRun.Write(_folder.PathOf($"runs/{name}"), seconds: name.Length);
        }

        Assert.Equal((0, "    written    x/figures.csv\n    written    x/intervals.csv\n    written    x/samples.csv\n"),
            Run("--samples", "--out", _folder.PathOf("x")));
        foreach (string name in names)
            Check(name, "updatesReceived");
        Assert.Equal(
            ["run,scenario,role,thread,utc,runSeconds,intervalSeconds,figure,value",
                "deep/second,direct,provider,0,2026-11-21T10:12:34.950Z,1.5,1.000137,updateRate,100008"],
            File.ReadLines(_folder.PathOf("x/intervals.csv")).Take(2));
        Assert.Equal(
            ["run,scenario,role,series,utc,micros,count", "deep/second,direct,provider,sendLag,2026-11-21T10:12:34.950Z,20,"],
            File.ReadLines(_folder.PathOf("x/samples.csv")).Take(2).Select((line, i) => i == 0 ? line : line[..(line.LastIndexOf(',') + 1)]));

        Assert.Equal((0, "    written    y/figures.csv\n    written    y/intervals.csv\n"), Run("--out", _folder.PathOf("y")));
        Assert.Equal(0, Run("--samples", "--format", "parquet", "--out", _folder.PathOf("x")).Code);
        foreach (string table in (string[])["figures", "intervals", "samples"])
            Assert.Equal(ReadCsv(table), await ReadParquet(table));
    }

    [Fact]
    public void Export_RunThatCannotBeRead_IsListedAndTheOthersAreWritten()
    {
        Write("good", RunFile.CreateText(SampleFigures.Run));
        Write("bad", "{");
        (int code, string output) = Run();
        Assert.Equal(0, code);
        Assert.Matches("written    runs/intervals.csv\n    left out   .*bad/run.json: not whole, or no JSON, in line 1\n$", output);
        Assert.Equal(["good"], ReadCsv("figures", "runs").Skip(1).Select(row => row[0]).Distinct());
        Assert.Equal(FigureColumns, ReadCsv("figures", "runs")[0]);
    }

    /// <summary>The exported rate is the double of run.json, also where its messages divided by its seconds are another.</summary>
    [Fact]
    public void Export_RateThatADivisionMisses_IsThatOfTheRun()
    {
        RunDocument run = SampleFigures.Run with { Figures = SampleFigures.Run.Figures! with { RateReached = 1_999.525859, SteadySeconds = 2.06 } };
        Write("one", RunFile.CreateText(run));
        Assert.Equal(0, Run("--out", _folder.PathOf("x")).Code);
        Assert.Equal("1999.525859", Assert.Single(ReadCsv("figures"), row => row[6].Length == 0 && row[7] == "rate")[9]);
    }

    [Fact]
    public void Export_NoRun_IsThree()
    {
        Directory.CreateDirectory(_folder.PathOf("runs"));
        Assert.Equal((3, "perftools: runs: no folder with run.json is in it\n"), Run());
    }

    [Fact]
    public void Export_PlaceThatCannotBe_IsSeven()
    {
        Write("good", RunFile.CreateText(SampleFigures.Run));
        File.WriteAllText(_folder.PathOf("file"), "");
        Assert.Equal(7, Run("--out", _folder.PathOf("file")).Code);
    }
}
