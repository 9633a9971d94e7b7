using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Guide;
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
}
