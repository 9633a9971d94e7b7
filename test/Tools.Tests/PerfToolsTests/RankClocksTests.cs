using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The wall clock of a rank compared with that of rank 0, with clocks that are set by the test.</summary>
[Trait("Category", "Fast")]
public sealed class RankClocksTests : IDisposable
{
    private static readonly DateTime Base = new(2026, 11, 28, 12, 0, 0, DateTimeKind.Utc);

    private readonly TestFolder _folder = new();
    private readonly Rendezvous _first, _second;

    public RankClocksTests()
    {
        (_first, _second) = (Join(0), Join(1));
        Assert.True(_first.AreAllThere() && _second.AreAllThere());
    }

    /// <summary>Whichever way was the slower one, the truth is within the error.</summary>
    [Theory]
    [InlineData(1_000, 0.5, 0.5)]
    [InlineData(1_000, 0, 3)]
    [InlineData(-1_000, 3, 0)]
    [InlineData(-0.25, 0.001, 0.2)]
    [InlineData(0, 0, 0)]
    public void Of_AnExchange_HasTheTruthWithinHalfOfIt(double offset, double there, double back)
    {
        DateTime told = Base.AddSeconds(there), asked = Base.AddSeconds(offset);
        WallClockReading reading = WallClockReading.Of(asked, TimeSpan.FromSeconds(there + back), told);
        Assert.Equal((there + back) / 2, reading.Error.TotalSeconds, 6);
        Assert.InRange(reading.Offset.TotalSeconds, offset - reading.Error.TotalSeconds - 1e-6, offset + reading.Error.TotalSeconds + 1e-6);
    }

    [Fact]
    public void Better_OfTwoReadings_IsThatWithTheSmallerError()
    {
        WallClockReading rough = new(TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(2)), fine = new(TimeSpan.FromSeconds(6), TimeSpan.FromSeconds(1));
        Assert.Equal([rough, fine, fine, fine],
            [WallClockReading.Better(null, rough), WallClockReading.Better(rough, fine), WallClockReading.Better(fine, rough),
                WallClockReading.Better(fine, fine)]);
    }

    [Theory]
    [InlineData(1_000, true)]
    [InlineData(-1_000, true)]
    [InlineData(0.5, true)]
    [InlineData(0.02, false)]
    [InlineData(0, false)]
    public void Ask_UntilItIsDone_FindsTheOffsetOfTheBestExchange(double offset, bool isShifted)
    {
        SetTime zero = new(0), one = new(offset);
        RankClocks answering = new(_first, zero), asking = new(_second, one);
        int looks = 0;
        Assert.False(asking.Ask());
        Assert.Null(asking.Own.OffsetMicros);
        while (!asking.Ask())
        {
            Pass(0.003 * (5 - (looks % 5)), zero, one); // the way of the fifth exchange is the shortest
            answering.Answer();
            Pass(0.05 - (0.01 * (looks % 5)), zero, one);
            Assert.InRange(++looks, 1, 5);
        }

        Assert.Equal(5, looks);
        RankClock found = asking.Own;
        Assert.Equal((1, 0.0065), (found.Rank, Math.Round(found.ErrorMicros!.Value / 1e6, 6)));
        Assert.InRange(found.OffsetMicros!.Value / 1e6, offset - 0.0065, offset + 0.0065);
        Assert.Equal(isShifted || offset == 0.02, Math.Abs(found.Shift.TotalSeconds - offset) <= 0.0065 && found.Shift != TimeSpan.Zero);
        Assert.Equal((0.0, 0.0, TimeSpan.Zero), (answering.Own.OffsetMicros, answering.Own.ErrorMicros, answering.Own.Shift));
    }

    /// <summary>Rank 0 may be busy for long before it looks at the questions: an answer after that is only a worse one.</summary>
    [Fact]
    public void Ask_FirstAnswerComesLate_TheNextCount()
    {
        SetTime zero = new(0), one = new(-3_600);
        RankClocks answering = new(_first, zero), asking = new(_second, one);
        asking.Ask();
        Pass(90, zero, one);
        Assert.False(asking.Ask());
        answering.Answer();
        Assert.False(asking.Ask());
        Assert.Equal(45e6, asking.Own.ErrorMicros);
        answering.Answer();
        Pass(0.004, zero, one);
        Assert.False(asking.Ask());
        Assert.Equal(2_000, asking.Own.ErrorMicros!.Value, 3);
        Assert.Equal(-3_600, asking.Own.Shift.TotalSeconds, 1);
        Pass(3, zero, one);
        Assert.True(asking.Ask()); // it does not hold up the run
    }

    [Fact]
    public void Ask_RankZeroHasBegunWithoutAnAnswer_IsDoneWithoutAnOffset()
    {
        RankClocks asking = new(_second, new SetTime(5));
        Assert.False(asking.Ask());
        _first.PublishStart(new(Base));
        Assert.True(asking.Ask());
        Assert.Equal((null, null, TimeSpan.Zero), (asking.Own.OffsetMicros, asking.Own.ErrorMicros, asking.Own.Shift));
    }

    [Fact]
    public void Ask_RankZeroIsNotThere_WaitsForIt()
    {
        Rendezvous alone = Rendezvous.Join(_folder.PathOf("alone"), "a", _second.Own);
        RankClocks asking = new(alone, new SetTime(5));
        Assert.False(asking.Ask());
        Assert.Null(alone.FindQuestion(1));
    }

    /// <summary>The state that the kernel has is a made-up one here.</summary>
    [Fact]
    public void Own_StateOfTheSystem_IsThatOfTheClock()
    {
        RankClock synchronized = new RankClocks(_second, new SetTime(5), () => new(true, 1_500, 20)).Own;
        Assert.Equal((true, 1_500.0, 20.0), (synchronized.Synchronized, synchronized.MaxErrorMicros, synchronized.EstimatedErrorMicros));
        RankClock free = new RankClocks(_second, new SetTime(5), () => new(false, null, null)).Own;
        Assert.Equal((false, null, null), (free.Synchronized, free.MaxErrorMicros, free.EstimatedErrorMicros));
        Assert.Null(new RankClocks(_second, new SetTime(5), () => null).Own.Synchronized);
    }

    [Fact]
    public void Own_Origin_IsTheWallClockLessTheClockOfTheStamps()
    {
        long before = Clock.NowNanos;
        RankClock clock = new RankClocks(_second, new SetTime(5)).Own;
        double wall = (Base.AddSeconds(5).AddDays(1) - DateTime.UnixEpoch).TotalMicroseconds, error = clock.ZeroErrorMicros!.Value;
        Assert.InRange(clock.ZeroUnixMicros!.Value, wall - (Clock.NowNanos / 1e3) - error, wall - (before / 1e3) + error);
    }

    [Theory]
    [InlineData(1_000_000.0, 999_999.0, 1)]
    [InlineData(-1_000_000.0, 1.0, -1)]
    [InlineData(1_000_000.0, 1_000_000.0, 0)]
    [InlineData(1_000_000.0, null, 0)]
    [InlineData(null, 1.0, 0)]
    public void Shift_Offset_CountsWhereItIsGreaterThanItsError(double? offset, double? error, int seconds) =>
        Assert.Equal(seconds, new RankClock { Rank = 1, OffsetMicros = offset, ErrorMicros = error }.Shift.TotalSeconds);

    [Theory]
    [InlineData(1.8e15, 1.0, true)] // 57 years: it began in 1970
    [InlineData(-8e15, 1.0, false)]
    [InlineData(0.0, -1.0, false)]
    public void Read_OffsetThatNoClockHas_IsRefused(double offset, double error, bool isGood)
    {
        string path = _folder.PathOf("run.json");
        File.WriteAllText(path, RunFile.CreateText(SampleFigures.Run with { Clocks = [new() { Rank = 1, OffsetMicros = offset, ErrorMicros = error }] }));
        if (isGood)
        {
            Assert.Equal(offset, RunFile.Read(path).Clocks![0].OffsetMicros);
        }
        else
        {
            Assert.EndsWith("clocks has an offset that no clock has", Assert.Throws<SetupException>(() => RunFile.Read(path)).Message,
                StringComparison.Ordinal);
        }
    }

    public void Dispose() => _folder.Dispose();

    private static void Pass(double seconds, params SetTime[] times) => Array.ForEach(times, time => time.Elapsed += TimeSpan.FromSeconds(seconds));

    private Rendezvous Join(int rank) => Rendezvous.Join(_folder.FullPath, "a", new RankDescription
    {
        Rank = rank,
        Ranks = 2,
        Host = "host",
        Address = "127.0.0.1",
        Roles = [],
        Utc = Base,
    });

    // A machine whose wall clock is some seconds ahead.
    private sealed class SetTime(double offset) : TimeProvider
    {
        public TimeSpan Elapsed { get; set; } = TimeSpan.FromDays(1);

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Elapsed.Ticks;

        public override DateTimeOffset GetUtcNow() => new(Base.AddSeconds(offset) + Elapsed);
    }
}
