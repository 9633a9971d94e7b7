using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Chains of slots that are split as slots are added, and joined again as slots are removed.</summary>
[Collection(MemoryRuns.Name)]
public class SlotChainsTests
{
    [Fact]
    public void AnySequence_FindsThoseThatAreIn()
    {
        for (int seed = 0; seed < 20; seed++)
        {
            Random random = new(seed);
            uint[] hashes = [.. Enumerable.Range(0, 6_000).Select(_ => (uint)random.Next(20_000))];
            SlotChains chains = new(slot => hashes[slot]);
            HashSet<int> model = [];
            for (int step = 0; step < 40_000; step++)
            {
                int slot = random.Next(hashes.Length);
                bool adds = random.Next(100) < (step / 10_000 % 2 == 0 ? 70 : 15);
                if (adds && model.Add(slot))
                    chains.Add(slot);
                else if (!adds)
                    Assert.Equal(model.Remove(slot), chains.Remove(slot));
            }

            Assert.Equal(model.Count, chains.Count);
            Assert.Equal(model.Order(), chains.Slots().Order());
            for (int slot = 0; slot < hashes.Length; slot++)
                Assert.Equal(model.Contains(slot), Find(chains, hashes, slot));
        }
    }

    [Fact]
    public void Slots_ManyThatWent_LeaveNothing()
    {
        SlotChains chains = new(slot => (uint)HashCode.Combine(slot));
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int slot = 0; slot < 500_000; slot++)
            chains.Add(slot);
        for (int slot = 0; slot < 500_000; slot++)
            Assert.True(chains.Remove(slot));
        chains.Trim(0);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 100_000);
        chains.Add(499_999);
        Assert.Equal([499_999], chains.Slots());
    }

    private static bool Find(SlotChains chains, uint[] hashes, int wanted)
    {
        for (int slot = chains.First(hashes[wanted]); slot >= 0; slot = chains.Next(slot))
        {
            if (slot == wanted)
                return true;
        }

        return false;
    }
}
