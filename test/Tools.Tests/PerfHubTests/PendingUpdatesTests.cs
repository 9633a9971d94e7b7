using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

[Trait("Category", "Fast")]
public class PendingUpdatesTests
{
    /// <summary>
    /// Updates of any length, for any connections, discarded in any order: each is unchanged until then, and memory does not grow
    /// beyond the pending ones.
    /// </summary>
    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, int.MaxValue - 1_000)]
    public void Keep_ManyTurns_HoldsWhatWaitsAndNoMore(int seed, int firstTurn)
    {
        Random random = new(seed);
        PendingUpdates kept = new(firstTurn);
        List<(Delivery Delivery, byte[] Bytes)>[] waiting = [.. Enumerable.Range(0, 20).Select(_ => new List<(Delivery, byte[])>())];
        int[] lastTurns = [.. waiting.Select(_ => -1)];
        for (int turn = 0; turn < 3_000; turn++)
        {
            for (int update = random.Next(6); update > 0; update--)
            {
                byte[] bytes = new byte[random.Next(100) == 0 ? 50_000 : random.Next(1, 300)];
                random.NextBytes(bytes);
                Delivery delivery = kept.Add(bytes);
                foreach (int session in Enumerable.Range(0, waiting.Length).Where(_ => random.Next(3) == 0))
                {
                    kept.Count(ref lastTurns[session]);
                    waiting[session].Add((delivery with { StreamId = session }, bytes));
                }
            }

            for (int session = random.Next(3); session < waiting.Length; session += random.Next(1, 12))
            {
                foreach ((Delivery delivery, byte[] bytes) in waiting[session])
                    Assert.Equal(bytes, kept.Bytes.AsSpan(kept.PlaceOf(delivery.At), delivery.Length));
                kept.Release([.. waiting[session].Select(one => one.Delivery)], ref lastTurns[session]);
                Assert.Equal(-1, lastTurns[session]);
                waiting[session].Clear();
            }

            Assert.Equal(lastTurns.Count(last => last == ((firstTurn + turn) & int.MaxValue)), kept.ConnectionsNow);
            kept.EndTurn(null);
        }

        Assert.InRange(kept.Bytes.Length, 1, 4 * 1024 * 1024);
    }

    [Fact]
    public void Keep_MoreThan64Megabytes_IsSaidToBeLarge()
    {
        PendingUpdates kept = new();
        for (int megabytes = 1; megabytes <= 64; megabytes++)
        {
            kept.Add(new byte[1024 * 1024]);
            Assert.False(kept.IsLarge);
        }

        kept.Add(new byte[1]);
        Assert.True(kept.IsLarge);
    }

    [Fact]
    public void Keep_NothingWaitsAtTheEndOfATurn_GivesTheMemoryBack()
    {
        PendingUpdates kept = new();
        int lastTurn = -1;
        Delivery delivery = kept.Add(new byte[1_000_000]);
        kept.Count(ref lastTurn);
        kept.EndTurn(null);
        Assert.InRange(kept.Bytes.Length, 1_000_000, int.MaxValue);

        kept.Release([delivery], ref lastTurn);
        kept.EndTurn(null);

        Assert.Empty(kept.Bytes);
    }
}
