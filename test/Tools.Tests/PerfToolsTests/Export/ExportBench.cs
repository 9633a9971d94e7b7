using System.Globalization;
using Parquet;
using Parquet.Schema;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Export;

/// <summary>A folder of runs that are exported, and the exported tables as they are read again.</summary>
public abstract class ExportBench : IDisposable
{
    private protected readonly TestFolder _folder = new();

    public void Dispose()
    {
        _folder.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected void Check(string name, string counter)
    {
        RecordedRun run = RecordedRun.Read(_folder.PathOf($"runs/{name}"));
        CheckFigures(name, run.Document);
        CheckIntervals(name, run, counter);
        CheckSamples(name, run);
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

    private void CheckIntervals(string name, RecordedRun run, string counter)
    {
        string[][] rows = [.. ReadCsv("intervals").Where(row => row[0] == name && row[2] == "provider")];
        RecordedRole provider = run.Roles[0];
        Assert.Equal(provider.Intervals.Count, rows.Select(row => row[4]).Distinct().Count());
        Assert.Equal(provider.Intervals.Sum(interval => interval.Line.GetProperty("overall").GetProperty("counts").GetProperty(counter).GetInt64()),
            rows.Where(row => row[7] == $"counts.{counter}").Sum(row => long.Parse(row[8], CultureInfo.InvariantCulture)));
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

    private protected (int Code, string Output) Run(params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        int code = PerfTools.Program.Run(["export", _folder.PathOf("runs"), .. arguments], output, error);
        return (code, (output.ToString() + error).Replace(_folder.FullPath + "/", "", StringComparison.Ordinal));
    }

    private protected void Write(string name, string text)
    {
        Directory.CreateDirectory(_folder.PathOf($"runs/{name}"));
        File.WriteAllText(_folder.PathOf($"runs/{name}/run.json"), text);
    }

    // No figure's title has a quote; one with a comma is in quotes.
    private protected string[][] ReadCsv(string table, string place = "x") =>
        [.. File.ReadLines(_folder.PathOf($"{place}/{table}.csv"))
            .Select(line => line.Split('"').SelectMany((part, i) => i % 2 == 1 ? [part] : Cells(part)).ToArray())];

    private static string[] Cells(string part)
    {
        string inner = part.StartsWith(',') && part.Length > 1 ? part[1..] : part;
        inner = inner.EndsWith(',') && inner.Length > 1 ? inner[..^1] : inner;
        return inner.Length == 0 || inner == "," ? [] : inner.Split(',');
    }

    private protected async Task<string[][]> ReadParquet(string table)
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
