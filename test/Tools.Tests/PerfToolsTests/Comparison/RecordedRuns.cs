using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Results.Comparison;
using PerfTools.Results.Recorded;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary>
/// Forty real runs of one configuration, one after the other on a machine where other programs were built meanwhile: their counts, whole
/// and in parts.
/// </summary>
/// <remarks>
/// <c>perftools run direct --items 1000 --rate 50000 --seconds 5</c>, forty times; RecordedRuns.jsonl has a line for each.
/// </remarks>
internal static class RecordedRuns
{
    private static readonly string File = Path.Combine(AppContext.BaseDirectory, "RecordedRuns.jsonl");

    public static IReadOnlyList<(MeasuredSegment Whole, IReadOnlyList<MeasuredSegment> Parts)> All { get; } =
        [.. System.IO.File.ReadLines(File).Select(Read)];

    public static Conditions Conditions { get; } = Conditions.Of(SampleFigures.Run);

    /// <summary>A side of a comparison.</summary>
    public static RunSet Set(string name, IReadOnlyList<MeasuredSegment> pieces, MeasuredSegment? whole = null, double clockBoundMicros = 0) =>
        RunSet.Of(name, name, whole is null ? pieces.Count : 1, Conditions, new SegmentSums(pieces, whole), clockBoundMicros: clockBoundMicros);

    /// <summary>The line of a run.</summary>
    public static string Describe(RecordedRun run) => JsonSerializer.Serialize(
        new { Whole = Line.Of(RunSegments.ReadWhole(run)!), Parts = RunSegments.ReadParts(run).Select(Line.Of) });

    private static (MeasuredSegment, IReadOnlyList<MeasuredSegment>) Read(string line)
    {
        using JsonDocument document = JsonDocument.Parse(line);
        return (Read(document.RootElement.GetProperty("Whole")),
            [.. document.RootElement.GetProperty("Parts").EnumerateArray().Select(Read)]);
    }

    private static MeasuredSegment Read(JsonElement piece) => piece.Deserialize<Line>()!.ToPiece();

    private sealed record Line(
        double Seconds, double Messages, Dictionary<string, double> Cpu, byte[] Latency, double? MaxLatency, byte[] SendLag,
        double? MaxSendLag, double? Memory, double? Images)
    {
        public static Line Of(MeasuredSegment piece) => new(
            piece.Seconds, piece.Messages, piece.CpuSeconds.ToDictionary(),
            HistogramEncoding.Compress(piece.Latency!), Finite(piece.MaxLatencyMicros), HistogramEncoding.Compress(piece.SendLag!),
            Finite(piece.MaxSendLagMicros),
            piece.MemoryMegabytes, piece.ImageSeconds);

        public MeasuredSegment ToPiece() => new()
        {
            Seconds = Seconds,
            Messages = Messages,
            CpuSeconds = Cpu,
            Latency = HistogramEncoding.Decompress(Latency, LatencyUnit.Microseconds),
            MaxLatencyMicros = MaxLatency ?? double.PositiveInfinity,
            SendLag = HistogramEncoding.Decompress(SendLag, LatencyUnit.Microseconds),
            MaxSendLagMicros = MaxSendLag ?? double.PositiveInfinity,
            MemoryMegabytes = Memory,
            ImageSeconds = Images,
        };

        private static double? Finite(double value) => double.IsFinite(value) ? value : null;
    }
}

/// <summary>Makes the data again.</summary>
[Trait("Category", "Fast")]
public class RecordingTests
{
    private const string FoldersVariable = "PERFTOOLS_RECORDED_RUNS"; // a folder with folders of runs

    [Fact(Explicit = true)]
    public void Record_FoldersOfRuns_WritesTheirLines()
    {
        string folder = Environment.GetEnvironmentVariable(FoldersVariable)
            ?? throw new InvalidOperationException(FoldersVariable + " names no folder");
        string target = Path.Combine(RepositoryRoot.FullPath, "test/Tools.Tests/PerfToolsTests/Comparison/RecordedRuns.jsonl");
        File.WriteAllLines(target,
            Directory.GetDirectories(folder).Where(RecordedRun.IsIn).Order(StringComparer.Ordinal).Select(path =>
                RecordedRuns.Describe(RecordedRun.Read(path))));
    }
}
