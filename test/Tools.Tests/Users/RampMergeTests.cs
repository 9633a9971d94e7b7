using System.Text.Json;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Results.Merging;
using PerfTools.Scenarios.Users;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The results of processes with users, in the form they write them, merged.</summary>
public sealed class RampMergeTests : IDisposable
{
    private const int Parts = 6;
    private const int Steps = 3;
    private static readonly DateTime Start = new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc);

    private readonly RunDirectory _folder = new();

    [Fact]
    public void Merge_SixParts_EqualsOneProcessThatSawEverything()
    {
        Period[][] parts = [.. Enumerable.Range(0, Parts).Select(_ => CreatePeriods())];
        Period[] whole = CreatePeriods();
        Random random = new(4711);
        for (int i = 0; i < 60_000; i++)
        {
            int step = random.Next(Steps);
            long micros = random.Next(1, 300) * (long)random.Next(1, 30_000);
            Record(whole[step], micros);
            Record(parts[random.Next(Parts)][step], micros);
        }

        string[] folders = [.. parts.Select((periods, part) => Write($"part{part}", periods, Parts))];
        (RampMerge merged, RampMerge one) = (RampMerge.Read(folders), RampMerge.Read([Write("whole", whole, 1)]));

        Assert.Equal(Steps, merged.Result.Steps.Count);
        Assert.Equal(one.Result.Steps, merged.Result.Steps); // every figure, percentiles too
        foreach ((MergedStep step, MergedStep of) in merged.Result.Merged.Zip(one.Result.Merged))
            AssertSameCells(of.Measured!, step.Measured!);
        Assert.Equal(one.Verdict, merged.Verdict);
    }

    [Theory]
    [InlineData(0, 0, 0, null, 300)]
    [InlineData(1, 0, 0, "step 2 with 200 users: 1 users lost", 100)]
    [InlineData(0, 3, 0, "step 2 with 200 users: 3 updates out of order", 100)]
    [InlineData(0, 0, 3, "step 2 with 200 users: received 98.5 %", 100)]
    public void Merge_SixPartsWithAFaultInOne_IsJudgedAsOneProcess(int lost, int outOfOrder, int missing, string? reason, int capacity)
    {
        Period[][] parts = [.. Enumerable.Range(0, Parts).Select(_ => CreatePeriods())];
        Period[] whole = CreatePeriods();
        for (int user = 0; user < 600; user++)
        {
            int step = user < 100 ? 0 : user < 300 ? 1 : 2; // an update for each user of each step
            Record(whole[step], 100 + user);
            Record(parts[user % Parts][step], 100 + user);
        }

        foreach (Period period in (Period[])[parts[4][1], whole[1]])
            (period.Counts, period.Updates) = (new(lost, 0, outOfOrder, 0), period.Updates - missing);
        RampMerge merged = RampMerge.Read([.. parts.Select((periods, part) => Write($"part{part}", periods, Parts))]);
        RampMerge one = RampMerge.Read([Write("whole", whole, 1)]);

        Assert.Equal((reason, capacity), (merged.Verdict.Reason, merged.Result.Capacity?.Users));
        Assert.Equal((one.Verdict, one.Result.Capacity), (merged.Verdict, merged.Result.Capacity));
    }

    [Fact]
    public void Merge_WrittenAndReadAgain_HasTheSameCells()
    {
        Period[] first = CreatePeriods(), second = CreatePeriods();
        Record(first[0], 1_000_003);
        Record(second[0], 17);
        RampMerge merged = RampMerge.Read([Write("a", first, 2), Write("b", second, 2)]);
        RunFolder into = RunFolder.Open(_folder.File("into"), "merge", Start, []);
        Assert.Null(merged.TryWriteHistograms(into));

        LongHistogram[] read = [.. HistogramLogReader.ReadFile(into.PathOf("merged-steps.hlog")).Select(interval => interval.Histogram)];
        Assert.Equal(Steps, read.Length);
        AssertSameCells(merged.Result.Merged[0].Measured!, read[0]);
        Assert.Equal(2, read[0].TotalCount);
    }

    [Fact]
    public void Merge_PartsThatCheck_AreAGroupOfTheirOwn()
    {
        Period[] near = CreatePeriods(), far = CreatePeriods();
        for (int i = 0; i < 1_000; i++)
        {
            Record(near[0], 500 + i);
            Record(far[0], i * 20);
        }

        StepRow step = RampMerge.Read([Write("near", near, 2), Write("far", far, 2, measures: false)]).Result.Steps[0];
        Assert.Equal((2_000L, 1_000L, 500L, 1_499L), (step.Received, step.Samples, step.MinMicros, step.MaxMicros));
        Assert.InRange(step.SpreadP99!.Value, 19_780, 19_820);
        Assert.StartsWith("users of other hosts: p99 spread 19.", step.OddSpread, StringComparison.Ordinal);
    }

    [Fact]
    public void Merge_APartThatIsMissing_IsNamed()
    {
        RampMerge merged = RampMerge.Read([Write("a", CreatePeriods(), 2)]);
        Assert.Equal((RunVerdict.Failed, "the parts that are there had 50 of the 100 users of step 1"),
            (merged.Verdict.Result, merged.Verdict.Reason));
    }

    [Theory]
    [InlineData(0, 1)]
    [InlineData(4, 4)]
    [InlineData(5, 5)]
    [InlineData(8, 1)]
    [InlineData(77, 1)]
    [InlineData(-1, 1)]
    [InlineData(256, 1)]
    public void Merge_FailedRank_EndsWithACodeOfOursOrThatOfADefect(int written, int code)
    {
        string first = Write("a", CreatePeriods(), 2), second = Write("b", CreatePeriods(), 2);
        WriteRank(first, 0, RunVerdict.Ok, 0);
        WriteRank(second, 1, RunVerdict.Failed, written);
        RampMerge merged = RampMerge.Read([first, second]);
        Assert.Equal((RunVerdict.Failed, (ExitCode)code, "rank 1: the hub went"),
            (merged.Verdict.Result, merged.Verdict.Code, merged.Verdict.Reason));
        Assert.Equal(code, merged.CreateDocument(RunFolder.Open(_folder.File("into"), "merge", Start, [])).ExitCode);
    }

    [Theory]
    [InlineData("base")]
    [InlineData("burstMax=0.1")]
    public void Merge_RanksOfAVariant_AreOfThatVariant(string variant)
    {
        string first = Write("a", CreatePeriods(), 2), second = Write("b", CreatePeriods(), 2);
        WriteRank(first, 0, RunVerdict.Ok, 0, variant: variant);
        WriteRank(second, 1, RunVerdict.Ok, 0, variant: variant);
        Assert.Equal(("users-low", variant), (RampMerge.Read([first, second]).Variant.Load.Name, RampMerge.Read([second, first]).Variant.Name));
    }

    /// <summary>Each wrote the times of its machine; the clock of rank 1 is an hour ahead, and known to be so or not.</summary>
    [Theory]
    [InlineData(3_600e6, 20_000.0, true)]
    [InlineData(3_600.0004e6, 20_000.0, true)] // steps have times in milliseconds
    [InlineData(null, null, false)]
    public void Merge_PartsOfTwoClocks_AreOneRampByTheTimeOfRankZero(double? offset, double? error, bool isOne)
    {
        string first = Write("a", CreatePeriods(), 2), second = Write("b", CreatePeriods(), 2, ahead: TimeSpan.FromHours(1));
        WriteRank(first, 0, RunVerdict.Ok, 0, new() { Rank = 0, OffsetMicros = 0, ErrorMicros = 0 });
        WriteRank(second, 1, RunVerdict.Ok, 0, new() { Rank = 1, OffsetMicros = offset, ErrorMicros = error });
        if (!isOne)
        {
            Assert.EndsWith("of another ramp: step 1 began with 100 users at 2026-11-22T11:00:01.000Z for 2 s",
                Assert.Throws<SetupException>(() => RampMerge.Read([first, second])).Message, StringComparison.Ordinal);
            return;
        }

        foreach (string[] order in (string[][])[[first, second], [second, first]])
        {
            RampMerge merged = RampMerge.Read(order);
            Assert.Equal([1, 4, 7], merged.Result.Steps.Select(step => (step.Utc - Start).TotalSeconds));
            Assert.Equal([100, 200, 300], merged.Result.Steps.Select(step => step.UsersIn));
            RunDocument whole = merged.CreateDocument(RunFolder.Open(_folder.File("into"), "merge", Start, []));
            Assert.Equal([0.0, offset], whole.Clocks!.Select(clock => clock.OffsetMicros));
        }
    }

    [Fact]
    public void Merge_PartsOfOtherRamps_AreRefused()
    {
        string first = Write("a", CreatePeriods(), 2), other = Write("b", CreatePeriods(), 2, users: 200);
        SetupException refused = Assert.Throws<SetupException>(() => RampMerge.Read([first, other]));
        Assert.Equal((SetupProblem.InputFile, $"{other}: of another ramp: step 1 began with 200 users at 2026-11-22T10:00:01.000Z for 2 s"),
            (refused.Problem, refused.Message));
    }

    [Fact]
    public void Merge_AFolderWithoutResults_IsRefused()
    {
        Directory.CreateDirectory(_folder.File("empty"));
        Assert.Contains("neither run.json nor JSON lines",
            Assert.Throws<SetupException>(() => RampMerge.Read([_folder.File("empty")])).Message, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    internal static Period[] CreatePeriods() => [.. Enumerable.Range(0, Steps).Select(_ => new Period())];

    private static void Record(Period period, long micros)
    {
        period.Record(micros);
        period.Updates++;
    }

    private string Write(string name, Period[] periods, int parts, bool measures = true, int users = 100, TimeSpan ahead = default) =>
        WritePart(Directory.CreateDirectory(_folder.File(name)).FullName, periods, parts, measures, users, ahead);

    // The run.json of a rank whose users wrote the files above.
    private static void WriteRank(string folder, int rank, string verdict, int code, RankClock? clock = null, string variant = "base") =>
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(new RunDocument
        {
            Scenario = "users-low",
            Verdict = verdict,
            Reason = verdict == RunVerdict.Ok ? null : "the hub went",
            ExitCode = code,
            StartUtc = Start,
            EndUtc = Start.AddSeconds(10),
            Inputs = new Dictionary<string, JsonElement>
            {
                ["rank"] = JsonSerializer.SerializeToElement($"{rank}/2"),
                ["variant"] = JsonSerializer.SerializeToElement(variant),
            },
            Figures = null,
            Assertions = [],
            Roles = [RoleOf($"users-{rank + 1}")],
            Links = [],
            Machine = ThisMachine.Description,
            Ranks = clock is null ? null : [ThisRank.Describe(rank, 2, [$"users-{rank + 1}"], "127.0.0.1")],
            Clocks = clock is null ? null : [clock],
        }));

    /// <summary>The process whose files those of <see cref="WritePart"/> are.</summary>
    internal static RoleResult RoleOf(string name) => new()
    {
        Name = name,
        Tool = "UsersPerf",
        Command = "UsersPerf",
        ExitCode = 0,
        CpuCorePercent = null,
        MemoryMegabytes = null,
        Files = new("users.log", "users.jsonl", "users"),
        Final = null,
    };

    /// <summary>Writes what one process of several leaves.</summary>
    internal static string WritePart(string folder, Period[] periods, int parts, bool measures = true, int users = 100,
        TimeSpan ahead = default)
    {
        using PeriodLog log = new(Path.Combine(folder, "users"));
        log.Begin();
        using FileStream lines = File.Create(Path.Combine(folder, "users.jsonl"));
        for (int step = 0; step < periods.Length; step++)
        {
            int total = users * (step + 1);
            long from = (1 + (3 * step)) * Clock.NanosPerSecond;
            periods[step].UsersIn = total / parts + (parts == Parts && folder[^1] - '0' < total % parts ? 1 : 0);
            UserStep user = new(step, total - users, total, 0, 0, from, from + (2 * Clock.NanosPerSecond));
            log.Write(new RunConsole(TextWriter.Null),
                new MeasuredStep(user, periods[step], Start.AddSeconds(1 + (3 * step)) + ahead, periods[step].UsersIn, 0.5 * periods[step].UsersIn, measures));
        }

        foreach (Action<Stream> write in log.DequeueJsonLines())
            write(lines);
        lines.Write("{\"tool\":\"UsersPerf\",\"final\":true}\n"u8);
        return folder;
    }

    private static void AssertSameCells(LongHistogram expected, LongHistogram found)
    {
        Assert.Equal((expected.TotalCount, expected.FirstUsed, expected.LastUsed), (found.TotalCount, found.FirstUsed, found.LastUsed));
        Assert.All(Enumerable.Range(expected.FirstUsed, expected.LastUsed - expected.FirstUsed + 1),
            cell => Assert.Equal(expected.CountAt(cell), found.CountAt(cell)));
    }
}
