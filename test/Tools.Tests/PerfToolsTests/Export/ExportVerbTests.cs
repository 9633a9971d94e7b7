using System.Globalization;
using Parquet;
using Parquet.Schema;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Export;

public sealed class ExportVerbTests : IDisposable
{
    private static readonly string[] FigureColumns = ["run", "scenario", "startUtc", "verdict", "toolsVersion", "commit", "role", "figure", "title", "value"];
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

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
        {
            RecordedRun run = RecordedRun.Read(_folder.PathOf($"runs/{name}"));
            CheckFigures(name, run.Document);
            CheckIntervals(name, run);
            CheckSamples(name, run);
        }

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

    private void CheckFigures(string name, RunDocument run)
    {
        string[][] rows = [.. ReadCsv("figures").Where(row => row[0] == name)];
        string Value(string role, string figure) => Assert.Single(rows, row => row[6] == role && row[7] == figure)[9];
        Assert.Equal(Text(run.Figures!.RateReached), Value("", "rate"));
        Assert.Equal(Text(run.Figures.LatencyMicros!.P50!.Value), Value("", "p50"));
        foreach (RoleResult role in run.Roles)
        {
            foreach (RoleFigure figure in role.Figures.Where(figure => figure.Value is not null))
                Assert.Equal(Text(figure.Value!.Value), Value(role.Name, figure.Name));
        }
    }

    private void CheckIntervals(string name, RecordedRun run)
    {
        string[][] rows = [.. ReadCsv("intervals").Where(row => row[0] == name && row[2] == "provider")];
        RecordedRole provider = run.Roles[0];
        Assert.Equal(provider.Intervals.Count, rows.Select(row => row[4]).Distinct().Count());
        Assert.Equal(provider.Intervals.Sum(interval => interval.Line.GetProperty("overall").GetProperty("counts").GetProperty("updatesSent").GetInt64()),
            rows.Where(row => row[7] == "counts.updatesSent").Sum(row => long.Parse(row[8], CultureInfo.InvariantCulture)));
    }

    private void CheckSamples(string name, RecordedRun run)
    {
        foreach (RecordedRole role in run.Roles)
        {
            foreach (string series in role.Series)
            {
                string[][] rows = [.. ReadCsv("samples").Where(row => row[0] == name && row[2] == role.Result.Name && row[3] == series)];
                Assert.Equal(role.ReadIntervals(series).Take(role.Intervals.Count).Sum(histogram => histogram.TotalCount),
                    rows.Sum(row => long.Parse(row[6], CultureInfo.InvariantCulture)));
            }
        }
    }

    private (int Code, string Output) Run(params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        int code = PerfTools.Program.Run(["export", _folder.PathOf("runs"), .. arguments], output, error);
        return (code, (output.ToString() + error).Replace(_folder.FullPath + "/", "", StringComparison.Ordinal));
    }

    private void Write(string name, string text)
    {
        Directory.CreateDirectory(_folder.PathOf($"runs/{name}"));
        File.WriteAllText(_folder.PathOf($"runs/{name}/run.json"), text);
    }

    // No figure's title has a quote; one with a comma is in quotes.
    private string[][] ReadCsv(string table, string place = "x") =>
        [.. File.ReadLines(_folder.PathOf($"{place}/{table}.csv"))
            .Select(line => line.Split('"').SelectMany((part, i) => i % 2 == 1 ? [part] : Cells(part)).ToArray())];

    private static string[] Cells(string part)
    {
        string inner = part.StartsWith(',') && part.Length > 1 ? part[1..] : part;
        inner = inner.EndsWith(',') && inner.Length > 1 ? inner[..^1] : inner;
        return inner.Length == 0 || inner == "," ? [] : inner.Split(',');
    }

    private async Task<string[][]> ReadParquet(string table)
    {
        await using ParquetReader reader = await ParquetReader.CreateAsync(_folder.PathOf($"x/{table}.parquet"));
        DataField[] fields = reader.Schema.GetDataFields();
        List<string[]> rows = [[.. fields.Select(field => field.Name)]];
        for (int i = 0; i < reader.RowGroupCount; i++)
        {
            using ParquetRowGroupReader group = reader.OpenRowGroupReader(i);
            int first = rows.Count;
            for (long row = 0; row < group.RowCount; row++)
                rows.Add(new string[fields.Length]);
            for (int column = 0; column < fields.Length; column++)
            {
                string[] cells = await ReadColumn(group, fields[column]);
                for (int row = 0; row < cells.Length; row++)
                    rows[first + row][column] = cells[row];
            }
        }

        return [.. rows];
    }

    private static async Task<string[]> ReadColumn(ParquetRowGroupReader group, DataField field)
    {
        if (field.ClrType == typeof(ReadOnlyMemory<char>))
        {
            string?[] texts = new string?[group.RowCount];
            await group.ReadAsync(field, texts.AsMemory());
            return Array.ConvertAll(texts, text => text!);
        }

        if (field.ClrType == typeof(double))
        {
            double[] numbers = new double[group.RowCount];
            await group.ReadAsync<double>(field, numbers.AsMemory());
            return Array.ConvertAll(numbers, Text);
        }

        DateTime[] times = new DateTime[group.RowCount];
        await group.ReadAsync<DateTime>(field, times.AsMemory());
        return Array.ConvertAll(times, time => time.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
    }

    private static string Text(double value) => value.ToString("R", CultureInfo.InvariantCulture);
}
