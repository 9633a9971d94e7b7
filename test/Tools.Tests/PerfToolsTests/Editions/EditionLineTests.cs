using System.Text.Json;
using PerfTools.Editions;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Editions;

/// <summary>The final line that is written for a program of another edition.</summary>
public sealed class EditionLineTests : IDisposable
{
    private readonly TestFolder _folder = new();

    /// <summary>Counts are whole numbers, all else has its decimals; what the program did not say is absent.</summary>
    [Fact]
    public void Write_AConsumer_HasItsFiguresUnderOurNames()
    {
        File.WriteAllLines(_folder.PathOf("ConsSummary.out"),
        [
            "--- TEST INPUTS ---", "  Steady State Time: 7 sec", "--- OVERALL SUMMARY ---", "Steady State Statistics:", "  Sampling duration (sec): 6.500",
            "  Avg update rate: 49997.5", "Test Statistics:", "  Updates received: 178640", "  Requests sent: 1000",
        ]);
        EditionResults results = EditionResults.Read(_folder.FullPath, "Cons", _folder.PathOf("none.log"), [], new OutsideUse(1.5, 12.25, 64.5));
        Assert.True(results.AreWhole);
        using MemoryStream stream = new();
        EditionLine.Write(stream, "ConsPerf", EditionFacts.Of(Edition.C), results, exitCode: 3);

        using JsonDocument document = JsonDocument.Parse(stream.ToArray());
        JsonView line = new(document.RootElement);
        Assert.Equal((178_640, 1_000, 3), (line.Count("overall.counts.updatesReceived"), line.Count("overall.counts.requestsSent"), line.Count("exitCode")));
        Assert.Equal((6.5, 49_997.5), (line.Number("overall.steady.seconds"), line.Number("overall.steady.updateRate")));
        Assert.Equal((1.5, 12.25, 64.5), (line.Number("process.cpuSeconds"), line.Number("resources.steady.coreCpuPercent"),
            line.Number("resources.memoryMegabytes.max")));
        Assert.Equal((null, null), (line.Number("overall.counts.postsSent"), line.Number("overall.imageRetrieval.seconds")));
        Assert.Equal("178640", document.RootElement.GetProperty("overall").GetProperty("counts").GetProperty("updatesReceived").GetRawText());
    }

    [Fact]
    public void Read_WithoutASummary_IsNotWhole() =>
        Assert.False(EditionResults.Read(_folder.FullPath, "Cons", _folder.PathOf("none.log"), [], null).AreWhole);

    public void Dispose() => _folder.Dispose();
}
