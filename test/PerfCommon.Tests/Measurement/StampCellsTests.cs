using PerfCommon.Measurement;
using Xunit;

namespace PerfCommon.Tests.Measurement;

public class StampCellsTests
{
    private const int Seconds = 20;

    [Theory]
    [InlineData(100_000, 10, 1000)]
    [InlineData(100_000, 1000, 1000)]
    [InlineData(1_007, 300, 300)]
    [InlineData(1_000, 1, 1000)]
    public void Position_EverySecondOfEveryConnection_HasExactlyTheAskedStampsInsideTheBursts(int rate, int latencyRate, int tickRate)
    {
        StampCells cells = new(rate, latencyRate, tickRate, seed: 7);
        RatePerTick shares = new(rate, tickRate);
        for (int connection = 0; connection < 3; connection++)
        {
            for (int second = 0; second < 2 * Seconds; second++)
            {
                int stamps = 0;
                for (int tick = 0; tick < tickRate; tick++)
                {
                    int position = cells.Position(cells.CellOf(((long)second * tickRate) + tick, connection), shares.InTick(tick));
                    Assert.InRange(position, -1, shares.InTick(tick) - 1);
                    stamps += position >= 0 ? 1 : 0;
                }

                Assert.Equal(latencyRate, stamps);
            }
        }
    }

    [Fact]
    public void CellOf_SecondConnection_ReadsOneSecondAhead()
    {
        StampCells cells = new(1_000, 100, 500, seed: 1);
        Assert.Equal(cells.CellOf(500, 0), cells.CellOf(0, 1));
        Assert.Equal(cells.Position(0, 100), cells.Position(Seconds * 500, 100));
    }

    [Fact]
    public void Position_DifferentSeconds_AreDrawnAnew()
    {
        StampCells cells = new(100_000, 10, 1000, seed: 3);
        List<string> seconds =
            [.. Enumerable.Range(0,
                Seconds).Select(s =>
                string.Join(',', Enumerable.Range(s * 1000, 1000).Where(c => cells.Position(c, 100) >= 0).Select(c => c % 1000)))];
        Assert.Equal(Seconds, seconds.Distinct().Count());
    }

    [Fact]
    public void Position_SameSeed_GivesTheSameTable()
    {
        (StampCells a, StampCells b) = (new StampCells(5_000, 50, 100, seed: 9), new StampCells(5_000, 50, 100, seed: 9));
        Assert.Equal(Enumerable.Range(0, 2_000).Select(c => a.Position(c, 50)), Enumerable.Range(0, 2_000).Select(c => b.Position(c, 50)));
    }

    [Fact]
    public void Position_FewerMessagesThanTicks_StampsOnlyTicksThatSend()
    {
        StampCells cells = new(rate: 3, latencyRate: 3, tickRate: 10, seed: 2);
        Assert.Equal([0, 0, 0, -1, -1, -1, -1, -1, -1, -1], Enumerable.Range(0, 10).Select(c => cells.Position(c, 1)));
    }

    [Fact]
    public void Position_AllBurstsOfATable_IsSpreadOverTheWholeBurst()
    {
        StampCells cells = new(100_000, 1000, 1000, seed: 5);
        int[] counts = new int[4];
        for (int cell = 0; cell < Seconds * 1000; cell++)
            counts[cells.Position(cell, counts.Length)]++;
        Assert.All(counts, count => Assert.InRange(count, 4_700, 5_300)); // of 20,000
    }

    [Theory]
    [InlineData(200_000, 10, true)]
    [InlineData(1_000, 10, true)]
    [InlineData(0, 0, true)]
    [InlineData(999, 10, false)]
    [InlineData(5, 5, false)]
    public void ForRate_AnotherRate_IsTheSameTableWhereTheSameTicksSendAsManyStamps(int rate, int latencyRate, bool isSame)
    {
        StampCells cells = new(100_000, 10, 1000, seed: 1);
        Assert.Equal(isSame, ReferenceEquals(cells, cells.ForRate(rate, latencyRate)));
    }

    [Fact]
    public void EveryMessage_RateAll_IsTrue()
    {
        StampCells cells = new(100_000, StampCells.All, 1000, seed: 1);
        Assert.True(cells.EveryMessage);
        Assert.Equal(-1, cells.Position(0, 100));
        Assert.False(new StampCells(100_000, 0, 1000, seed: 1).EveryMessage);
    }

    [Theory]
    [InlineData(100_000, 1001, 1000)]
    [InlineData(5, 6, 1000)]
    [InlineData(100, -2, 10)]
    public void Constructor_MoreThanOneStampPerTick_IsRefused(int rate, int latencyRate, int tickRate) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new StampCells(rate, latencyRate, tickRate, seed: 1));
}
