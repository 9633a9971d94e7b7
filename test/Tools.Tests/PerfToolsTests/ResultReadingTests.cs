using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Guide;
using PerfTools.Results.Recorded;
using Tools.Tests.PerfToolsTests.Comparison;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>What is read from files in which a part is missing, or of another kind.</summary>
[Trait("Category", "Fast")]
public sealed class ResultReadingTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Clock_OfAFileWithoutItsMembers_HasTheUsualOnes()
    {
        RunClock none = RunClock.Read(new JsonView(JsonElement.Parse("{}")))!;
        Assert.Equal(("", "", 0L, 0L, 0.0, 0L), (none.Pair, none.Transport, none.Exchanges, none.Lost, none.MinRttMicros, none.OffsetNanos));
        Assert.Equal((null, null, 0.0, null, 0, ""),
            (none.UsedMinNanos, none.UsedMaxNanos, none.DriftPpm, none.BoundMicros, none.Segments, none.State));
        Assert.Equal(("user", "user", "live"), (none.Stamps, none.PeerStamps, none.Line));
        Assert.Null(RunClock.Read(new JsonView(null)));
    }

    [Fact]
    public void Clock_OfAFile_HasEachMember()
    {
        RunClock clock = RunClock.Read(new JsonView(JsonElement.Parse("""
            {"pair":"a:1","transport":"tcp","exchanges":12,"lost":3,"minRttMicros":15.5,"offsetNanos":-7,"usedMinNanos":-9,"usedMaxNanos":-5,
             "driftPpm":1.25,"boundMicros":9.5,"segments":2,"state":"coarse","stamps":"kernel","peerStamps":"no-kernel","line":"final"}
            """)))!;
        Assert.Equal(("a:1", "tcp", 12L, 3L, 15.5, -7L), (clock.Pair, clock.Transport, clock.Exchanges, clock.Lost, clock.MinRttMicros, clock.OffsetNanos));
        Assert.Equal((-9L, -5L, 1.25, 9.5, 2, "coarse"),
            (clock.UsedMinNanos, clock.UsedMaxNanos, clock.DriftPpm, clock.BoundMicros, clock.Segments, clock.State));
        Assert.Equal(("kernel", "no-kernel", "final"), (clock.Stamps, clock.PeerStamps, clock.Line));
    }

    /// <summary>A row without a readable time is the usual interval after the one before.</summary>
    [Fact]
    public void GuideFile_RowsWithoutATime_HaveThoseThatAreExpected()
    {
        string path = _folder.PathOf("ConsStats1.csv");
        File.WriteAllText(path, """
            UTC, Latency updates, Images received
            later, 1, 2
            2026-11-21 10:00:00, 3, x
            2026-11-21T10:00:05Z, 4, 1e17
            soon, 5, 6, 7
            then, 8, 9, 10, 11
            soon, 12, 13
            soon, 14, 15
            """.ReplaceLineEndings("\n"));
        GuideFile file = GuideFile.TryRead(path)!;
        Assert.Equal(["00:00:00", "10:00:00", "10:00:05", "10:00:10", "10:00:15", "10:00:20"], file.Times.Select(time => time.ToString("HH:mm:ss", null)));
        Assert.Equal([1.0, 3, 4, 6, 12, 14], file.Values("latency updates"));
        Assert.Equal([2.0, null, null, 7, 13, 15], file.Values("IMAGESreceived"));
        Assert.Equal((true, false), (file.Has("Latency updates"), file.Has("updates")));
        Assert.All(file.Values("updates"), value => Assert.Null(value));
    }

    /// <summary>Of a list over a dimension, an entry without its place or without the figure is none.</summary>
    [Fact]
    public void Figures_OverADimension_AreThoseOfWholeEntries()
    {
        JsonElement line = JsonElement.Parse("""
            {"catalogue":{"version":1,"figures":[
              {"name":"rate","words":"rate of steps","kind":"rate","unit":"1/s","better":"higher","merge":"sum",
               "over":{"name":"users","list":"steps","by":"at","unit":"users"}}]},
             "steps":[{"at":1,"rate":10},{"rate":20},{"at":3},{"at":"4","rate":40},{"at":5,"rate":"50"},{"at":6,"rate":60.5}]}
            """);
        IReadOnlyList<RoleFigure> figures = RoleFigure.ReadAll(line);
        Assert.Equal([("rate@1", 10.0), ("rate@6", 60.5)], figures.SelectMany(figure => figure.Numbers()));
        Assert.Equal([("users", 1.0), ("users", 6.0)], figures.Select(figure => (figure.At!.Name, figure.At.Value)));
    }

    [Theory]
    [InlineData(2, 3, "2 runs, noise from their repeats")]
    [InlineData(1, 3, "1 run, noise from 3 parts of it and from what runs usually differ by")]
    [InlineData(1, 2, "1 run, noise from 2 parts of it and from what runs usually differ by")]
    [InlineData(1, 1, "1 run, too short for its noise")]
    [InlineData(1, 0, "1 run, too short for its noise")]
    public void Noise_OfARun_NeedsTwoParts(int runs, int parts, string text)
    {
        (MeasuredSegment whole, IReadOnlyList<MeasuredSegment> pieces) = RecordedRuns.All[0];
        Assert.Equal(text, RunSet.Of("a", "a", runs, RecordedRuns.Conditions, new SegmentSums([.. pieces.Take(parts)], whole)).NoiseText);
    }

    [Fact]
    public void RoundTrips_OfASizeWithoutItsMembers_AreNone()
    {
        RoundTripFigures none = RoundTripFigures.Read(new JsonView(JsonElement.Parse("{}")));
        Assert.Equal((0, 0L, 0.0, 0.0, 0.0, 0.0), (none.Bytes, none.Samples, none.AverageMicros, none.StdevMicros, none.MinMicros, none.MaxMicros));
        Assert.Equal((null, null, null, null, null, null),
            (none.P50Micros, none.P90Micros, none.P99Micros, none.P999Micros, none.P9999Micros, none.OneWayMicros));
        Assert.Equal((0L, 0L, 0L, 0L), (none.Lost, none.Late, none.Resent, none.NotPositive));
    }

    /// <summary>Round trips of 1 to 1,000 us: each figure of the size is that of its name.</summary>
    [Fact]
    public void SizedFigures_OfASize_AreThoseOfTheirNames()
    {
        LongHistogram samples = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        foreach (int micros in Enumerable.Range(1, 1_000))
            samples.RecordValue(micros * 1_000);
        MeasuredSegment segment = RecordedRuns.All[0].Whole with { RoundTrips = new Dictionary<int, SizedSamples> { [64] = new(samples, 1_000) } };
        Dictionary<string, double> read = SizedFigures.Of([64]).ToDictionary(figure => figure.Name, figure => figure.Read(SegmentSum.Of([segment]))!.Value);
        Assert.Equal(["avg@64", "p50@64", "p90@64", "p99@64"], read.Keys);
        Assert.Equal([500, 500, 900, 990], read.Values.Select(value => Math.Round(value / 5) * 5));
    }

    [Theory]
    [InlineData("p99@64", true)]
    [InlineData("avg@1", true)]
    [InlineData("p99@0", false)]
    [InlineData("p99@-1", false)]
    [InlineData("p99@ 64", false)]
    [InlineData("p99@064", false)]
    [InlineData("p98@64", false)]
    [InlineData("p99", false)]
    [InlineData("p99@64@1", false)]
    public void SizedFigure_OfAName_IsThatOfASize(string name, bool isOne) => Assert.Equal(isOne, SizedFigures.IsName(name));

    [Theory]
    [InlineData("ab.cpu", true)]
    [InlineData("a.cpu", false)]
    [InlineData("hub.", false)]
    [InlineData(".cpu", false)]
    [InlineData("Hub.cpu", false)]
    [InlineData("p99.9", false)]
    [InlineData("provider.counts.sent", true)]
    public void ChangeLimit_OfAName_IsOfARole(string name, bool isOfRole) => Assert.Equal(isOfRole, ChangeLimit.IsOfRole(name));

    [Theory]
    [InlineData(1_000_000_000_000_000, true)]
    [InlineData(1_000_000_000_000_001, false)]
    public void Log_WithMoreSamplesThanThereCanBe_IsRefused(long count, bool isRead)
    {
        string path = WriteLog("a-updates", [(null, 5, count)]);
        if (isRead)
        {
            Assert.Equal(count, Assert.Single(ResultLog.Read(path)).Histogram.TotalCount);
            return;
        }

        SetupException refused = Assert.Throws<SetupException>(() => ResultLog.Read(path).Count());
        Assert.EndsWith("more samples than there can be", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>Samples of the steady state alone, of every process that measures; of one process there is nothing to add.</summary>
    [Fact]
    public void Samples_OfSeveralProcesses_AreAddedCellByCell()
    {
        WriteLog("consumer-1-updates", [(null, 9, 100), ("steady", 10, 2)]);
        WriteLog("consumer-2-updates", [(null, 20, 3)]);
        WriteLog("provider-updates", [(null, 30, 7)]);
        RoleResult[] roles = [Role("consumer", "consumer-1"), Role("consumer", "consumer-2"), Role("provider", "provider")];
        LongHistogram merged = new MergedSamples(_folder.FullPath, MeasuredPaths.Direct, roles).Read()!;
        Assert.Equal((5L, 10L, 20L), (merged.TotalCount, merged.GetMinValue(), merged.GetMaxValue()));
        Assert.Null(new MergedSamples(_folder.FullPath, MeasuredPaths.Direct, roles[1..]).Read());
        Assert.Null(new MergedSamples(_folder.FullPath, MeasuredPaths.Direct, roles).ReadLags()); // one sends
        Assert.Equal("merged-updates.hlog", new MergedSamples(_folder.FullPath, MeasuredPaths.Direct, roles).FileName);
    }

    private static RoleResult Role(string name, string file) =>
        SampleFigures.Run.Roles[0] with { Name = name, Files = new($"{file}.log", $"{file}.jsonl", file) };

    private string WriteLog(string name, IEnumerable<(string? Tag, long Value, long Count)> lines)
    {
        string path = _folder.PathOf($"{name}.hlog");
        using StreamWriter writer = new(path);
        HistogramLogWriter.WriteHeader(writer, 1_000, LatencyUnit.Microseconds);
        foreach ((string? tag, long value, long count) in lines)
        {
            LongHistogram samples = LongHistogram.CreateForTimes(LatencyUnit.Microseconds);
            samples.RecordValueWithCount(value, count);
            HistogramLogWriter.WriteInterval(writer, 1_000, 2_000, samples, tag);
        }

        return path;
    }
}
