using PerfTools;
using PerfTools.Results.Guide;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Reports;

/// <summary>Latency files of every edition: the values read from them, and their page.</summary>
[Trait("Category", "Fast")]
public sealed class LatencyFileTests : IDisposable
{
    private const string Header = "Message type, Send time, Receive time, Latency (usec)";

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    [Theory]
    [InlineData(Header + "\nUpd, 1000000, 1000120, 120\nPst, 2000000, 2000300, 300\nGen, 3000000, 3000050, 50\n")] // C, ours
    // Java, C#
    [InlineData("Message type, Send Time, Receive Time, Latency (usec)\n\nUpd, 1000000, 1000120, 120\nPst, 2000000, 2000300, 300\nGen, 3000000, 3000050, 50")]
    // with -nanoTime
    [InlineData(Header + "\r\nUpd, 1000000000, 1000120000, 120.000\r\nPst, 2000000000, 2000300000, 300.000\r\nGen, 3000000000, 3000050000, 50.000\r\n")]
    public void TryRead_RowsOfEveryKind_AreToldApart(string text)
    {
        LatencyFile file = Read(text)!;

        Assert.Equal([("updates", 1L, 120.0), ("posts", 1L, 300.0), ("generic", 1L, 50.0)],
            file.Rows.Select(rows => (rows.Kind, rows.Figures.Count, rows.Figures.Max)));
        Assert.Equal([0, 1.00018, 1.99993], file.Rows.Select(rows => Math.Round(file.SecondsOf(Assert.Single(rows.Points(10))), 5)));
    }

    [Fact]
    public void TryRead_TransportFile_IsInNanoseconds()
    {
        LatencyFile file = Read("Send Time, Receive Time, Latency(nsec)\n5000000000, 5000012345, 12345\n6000000000, 6000020000, 20000\n")!;
        LatencyRows rows = Assert.Single(file.Rows);

        Assert.Equal(("messages", 2L, 20.0, 12.345), (rows.Kind, rows.Figures.Count, rows.Figures.Max, rows.Figures.Min));
        Assert.Equal(1.0, file.SecondsOf(rows.Points(10)[1]), tolerance: 0.0001);
    }

    [Theory]
    [InlineData("")]
    [InlineData("UTC, Images sent, Updates sent\n2020-03-04 10:00:05, 1, 2\n")]
    [InlineData(Header + "\n")] // ProvPerf without generic messages
    [InlineData("Send time, Latency (usec)\n1, 2\n")]
    public void TryRead_NoLatencyFileOrNoRow_IsNull(string text) => Assert.Null(Read(text));

    [Fact]
    public void TryRead_RowsThatAreNone_AreLeftOut()
    {
        string tooLong = new('9', 200_000);
        LatencyFile file = Read($"{Header}\nUpd, 1, 2, 1\nUpd, 1, 2\nUpd, 1, 2, 3, 4\nXyz, 1, 2, 1\nUpd, x, 2, 1\nUpd, 1, 2, NaN\n{tooLong}\nUpd, 1, "
            + $"{tooLong}, 1\nUpd, 5, 7, 2\nUpd, 5, 7")!;

        Assert.Equal(2, Assert.Single(file.Rows).Figures.Count);
    }

    [Fact]
    public void TryRead_NegativeAndHugeLatencies_AreCountedAndInNoPercentile()
    {
        IEnumerable<string> rows = Enumerable.Range(0, 1_000).Select(i => i switch
        {
            < 10 => $"Upd, {i + 50}, {i}, -50",
            < 990 => $"Upd, {i}, {i + 100}, 100",
            _ => $"Upd, 0, 5000000000, 5000000000",
        });
        LatencyRows all = Assert.Single(Read($"{Header}\n{string.Join('\n', rows)}\n")!.Rows);

        Assert.Equal((1_000, 10, 10, -50, 5e9), (all.Figures.Count, all.Figures.NegativeCount, all.Figures.OverflowCount, all.Figures.Min,
            all.Figures.Max));
        Assert.Equal((100.0, null), (Math.Round(all.Figures.P50!.Value), all.Figures.P99));
    }

    [Theory]
    [InlineData(5, 20_000)]
    [InlineData(20_000, 20_000)]
    [InlineData(100_000, 20_000)]
    [InlineData(1_000_003, 20_000)]
    [InlineData(50_000, 100)]
    public void PointSample_MoreThanAreKept_HasTheHighestAndIsSpreadOverTheTime(int count, int max)
    {
        PointSample sample = new(20_000);
        for (int i = 0; i < count; i++)
            sample.Add(new SampledPoint(i, i % 1_000 == 77 ? 10_000 + i : i % 100));
        IReadOnlyList<SampledPoint> kept = sample.Reduce(max);

        Assert.InRange(kept.Count, Math.Min(count, max / 2), Math.Min(count, max));
        Assert.Equal(kept.Order(Comparer<SampledPoint>.Create((a, b) => a.At.CompareTo(b.At))), kept);
        int highest = Math.Min((count + 922) / 1_000, max / 4); // of those above 10,000
        Assert.Equal(Enumerable.Range(0, highest).Select(i => (long)((((count - 78) / 1_000) - i) * 1_000) + 77).Order(),
            kept.OrderByDescending(point => point.Micros).Take(highest).Select(point => point.At).Order());
        Assert.All(Enumerable.Range(0, 10), tenth => Assert.True(
            count < 100 || kept.Any(point => point.At * 10 / count == tenth && point.Micros < 100), $"nothing in tenth {tenth}"));
    }

    [Fact]
    public void Report_OfLatencyFiles_DrawsThePointsAndHasTheirPercentiles()
    {
        const int Rows = 50_000;
        Random random = new(1);
        File.WriteAllLines(_folder.PathOf("LAT.csv1.csv"),
            [Header, .. Enumerable.Range(0, Rows).Select(i => (i, latency: i == 30_000 ? 900_000 : 50 + random.Next(100)))
                .Select(row => $"Upd, {row.i * 100}, {(row.i * 100) + row.latency}, {row.latency}")]);
        File.WriteAllLines(_folder.PathOf("Trans1.csv"),
            ["Send Time, Receive Time, Latency(nsec)", "1000, 13345, 12345", "5000, 25000, 20000"]);
        Assert.Equal(0, Program.Run(["report", _folder.FullPath], _output, _error));
        string page = File.ReadAllText(_folder.PathOf("report.html"));

        Assert.Contains("<b>Latency of single messages, us (LAT.csv1)</b>", page, StringComparison.Ordinal);
        Assert.Contains("<b>Latency of single messages, us (Trans1)</b>", page, StringComparison.Ordinal);
        Assert.Contains("of 50,000 messages, the slowest among them", page, StringComparison.Ordinal);
        Assert.Contains("all 2 messages", page, StringComparison.Ordinal);
        Assert.Contains("<b>Latency by percentile, us</b>", page, StringComparison.Ordinal);
        Assert.Contains("<td>LAT.csv1 updates<td class=r>", page, StringComparison.Ordinal);
        Assert.Contains("<td class=r>900,000<td", page, StringComparison.Ordinal);
        int drawn = page.Split("class=\"p c0\" d=\"").Skip(1).Sum(path => path.Split('"')[0].Count(letter => letter == 'h'));
        Assert.InRange(drawn, 1_000, 20_000);
        Assert.InRange(page.Length, 0, 400_000);
    }

    public void Dispose()
    {
        _output.Dispose();
        _error.Dispose();
        _folder.Dispose();
    }

    private LatencyFile? Read(string text)
    {
        string path = _folder.PathOf("lat1.csv");
        File.WriteAllText(path, text);
        return LatencyFile.TryRead(path, maxPoints: 20_000);
    }
}
