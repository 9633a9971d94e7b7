using System.Text;
using PerfTools.Results.Guide;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Rows of the guide's files: which are read, in which unit, and which points are kept of many.</summary>
[Trait("Category", "Fast")]
public sealed class GuideRowsTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1_023)]
    [InlineData(1_024)]
    public void ShortLines_UpToTheirMaximum_AreRead(int length)
    {
        string line = new('a', length);
        Assert.Equal(["x", line, "y"], Lines($"x\r\n\n{line}\n\r\ny"));
        Assert.Equal([line], Lines(line));
    }

    /// <summary>A line that is too long is left out, at any place and of any length.</summary>
    [Theory]
    [InlineData(1_025)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    [InlineData(65_537)]
    [InlineData(300_000)]
    public void ShortLines_BeyondTheirMaximum_AreLeftOut(int length)
    {
        string line = new('a', length);
        Assert.Equal(["x", "y"], Lines($"x\n{line}\ny\n"));
        Assert.Equal(["y"], Lines($"{line}\r\n{line}\ny"));
        Assert.Equal(["x"], Lines($"x\n{line}"));
        string many = string.Concat(Enumerable.Range(0, 20_000).Select(i => $"{i}\n"));
        Assert.Equal(Enumerable.Range(0, 20_000).Select(i => $"{i}"), Lines($"{many}{line}\n"));
    }

    [Theory]
    [InlineData("MessageType, SendTime, ReceiveTime, Latency (usec)", 4, 0, 1, 2, 3, false)]
    [InlineData("Receive Time,Latency(nsec),Send Time", 3, null, 2, 0, 1, true)]
    [InlineData("sendtime,receivetime,latency(usec),a,b,c,d,e", 8, null, 0, 1, 2, false)]
    public void TryFind_OfAHeader_HasTheColumns(string header, int count, int? kind, int sent, int received, int latency, bool isInNanos) =>
        Assert.Equal(new LatencyColumns(count, kind, sent, received, latency, isInNanos), LatencyColumns.TryFind(header));

    [Theory]
    [InlineData("SendTime,ReceiveTime")]
    [InlineData("SendTime,Latency(usec)")]
    [InlineData("ReceiveTime,Latency(usec)")]
    [InlineData("SendTime,ReceiveTime,Latency(msec)")]
    [InlineData("sendtime,receivetime,latency(usec),a,b,c,d,e,f")]
    public void TryFind_OfAnotherHeader_IsNone(string header) => Assert.Null(LatencyColumns.TryFind(header));

    /// <summary>Rows of each kind, with those left out that cannot be read.</summary>
    [Fact]
    public void LatencyFile_OfRows_HasThoseOfEachKind()
    {
        string path = _folder.PathOf("lat.csv");
        File.WriteAllText(path, """
            Message Type,Send Time,Receive Time,Latency (usec)
            Upd,1000000,1000010,10
             upd ,1000020,1000050,30
            Pst,1000000,1000007,7.5
            Gen,1000000,1000001,1
            Xyz,1000000,1000001,99
            Updt,1000000,1000001,99
            Upd,1000000,1000001
            Upd,1000000,1000001,99,1
            Upd,x,1000001,99
            Upd,1000000,1.5,99
            Upd,1000000,1000001,NaN
            Upd,3000000,3000020,20
            """);
        LatencyFile file = LatencyFile.TryRead(path, maxPoints: 100)!;
        Assert.Equal(["updates 3 60 30 10", "posts 1 7.5 7.5 7.5", "generic 1 1 1 1"], file.Rows.Select(rows => FormattableString.Invariant(
            $"{rows.Kind} {rows.Figures.Count} {rows.Figures.Average * rows.Figures.Count:0.###} {rows.Figures.Max:0.###} {rows.Figures.Min:0.###}")));
        SampledPoint[] points = [.. file.Rows.First().Points(10)];
        Assert.Equal([10.0, 30, 20], points.Select(point => point.Micros));
        Assert.Equal(2.000019, file.SecondsOf(points[2]), 1e-9);
        Assert.Equal("lat", file.Name);
        Assert.Equal([1L], LatencyFile.TryRead(path, 100, skipped: TimeSpan.FromSeconds(1))!.Rows.Select(rows => rows.Figures.Count)); // the last
        File.WriteAllText(path, "SendTime,ReceiveTime,Latency(usec)\n");
        Assert.Null(LatencyFile.TryRead(path, 100));
    }

    /// <summary>Times are nanoseconds where the column says so, or their differences are more than 500 times the latencies.</summary>
    [Theory]
    [InlineData("Latency (usec)", 10, 1_000_000)]
    [InlineData("Latency (usec)", 5_000, 1_000_000)]
    [InlineData("Latency (usec)", 5_001, 1_000_000_000)]
    [InlineData("Latency (usec)", 10_000, 1_000_000_000)]
    [InlineData("Latency (nsec)", 10, 1_000_000_000)]
    public void LatencyFile_OfTimesInAUnit_HasItsSeconds(string column, long difference, long unitsOfSecond)
    {
        string path = _folder.PathOf("unit.csv");
        File.WriteAllText(path, FormattableString.Invariant(
            $"SendTime,ReceiveTime,{column}\n0,{difference},10\n{2 * unitsOfSecond},{(2 * unitsOfSecond) + difference},10\n"));
        LatencyFile file = LatencyFile.TryRead(path, 10)!;
        IReadOnlyList<SampledPoint> points = file.Rows.Single().Points(10);
        Assert.Equal((0.0, 2.0), (file.SecondsOf(points[0]), file.SecondsOf(points[^1])));
        Assert.Equal(column.EndsWith("(nsec)", StringComparison.Ordinal) ? 0.01 : 10, points[0].Micros);
    }

    /// <summary>Of many points a fixed number is kept: a quarter the highest, the rest at even distances.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(10_000)]
    public void PointSample_OfManyPoints_KeepsTheHighestAndEvenOnes(int count)
    {
        PointSample sample = new(capacity: 40);
        for (int i = 0; i < count; i++)
            sample.Add(new SampledPoint(i, i % 10 == 3 ? 1_000 + i : i % 7));
        IReadOnlyList<SampledPoint> all = sample.Reduce(40);
        Assert.InRange(all.Count, 15, 40);
        Assert.Equal(all.OrderBy(point => point.At), all);
        double[] highest = [.. Enumerable.Range(0, count).Where(i => i % 10 == 3).Select(i => 1_000.0 + i).OrderDescending().Take(10)];
        Assert.Equal(highest, all.Select(point => point.Micros).OrderDescending().Take(10));
        Assert.Equal(0, all[0].At);
        double[] gaps = [.. all.Where(point => point.Micros < 1_000).Select(point => (double)point.At)];
        Assert.InRange(gaps[^1], count * 0.4, count);
        Assert.InRange(sample.Reduce(8).Count, 5, 8);
        Assert.InRange(sample.Reduce(count).Count, 15, 40); // no more are kept than the capacity
        Assert.Equal(highest[..2], sample.Reduce(8).Select(point => point.Micros).OrderDescending().Take(2));
    }

    [Fact]
    public void PointSample_OfFewPoints_KeepsEach()
    {
        PointSample sample = new(capacity: 8);
        for (int i = 0; i < 6; i++)
            sample.Add(new SampledPoint(10 - i, i));
        Assert.Equal([5, 6, 7, 8, 9, 10], sample.Reduce(8).Select(point => point.At));
        Assert.Equal(5.0, Assert.Single(sample.Reduce(1)).Micros);
        Assert.Empty(new PointSample(4).Reduce(4));
    }

    private static List<string> Lines(string text)
    {
        ShortLines lines = new(new MemoryStream(Encoding.ASCII.GetBytes(text)));
        List<string> read = [];
        while (lines.TryRead(out ReadOnlySpan<byte> line))
            read.Add(Encoding.ASCII.GetString(line));
        return read;
    }
}
