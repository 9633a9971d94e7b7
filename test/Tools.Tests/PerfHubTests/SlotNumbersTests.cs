using PerfHub.Upstream;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Numbers that are assigned and freed, and the values kept by them.</summary>
public class SlotNumbersTests
{
    [Fact]
    public void AnySequence_GivesTheLowestFreeNumber()
    {
        for (int seed = 0; seed < 50; seed++)
        {
            Random random = new(seed);
            SlotNumbers numbers = new();
            SortedSet<int> taken = [];
            SlotSegments<int> values = new();
            for (int step = 0; step < 5_000; step++)
            {
                if (random.Next(100) < (step / 1_000 % 2 == 0 ? 65 : 35) || taken.Count == 0)
                {
                    int expected = Enumerable.Range(0, taken.Count + 1).First(number => !taken.Contains(number));
                    int number = numbers.Allocate(out bool isFirst);
                    Assert.Equal(expected, number);
                    Assert.Equal(isFirst, !values.IsOpen(number));
                    if (isFirst)
                        values.Open(number);
                    values[number] = number + 1;
                    taken.Add(number);
                    continue;
                }

                int gone = taken.ElementAt(random.Next(taken.Count));
                Assert.Equal(gone + 1, values[gone]);
                taken.Remove(gone);
                values[gone] = 0;
                if (numbers.Return(gone))
                    values.Close(gone);
            }

            Assert.InRange(numbers.Capacity, taken.Count == 0 ? 0 : taken.Max + 1, taken.Count == 0 ? 0 : taken.Max + SlotNumbers.SegmentLength);
        }
    }

    [Fact]
    public void Numbers_AllReturned_LeaveNothing()
    {
        SlotNumbers numbers = new();
        SlotSegments<long> values = new();
        for (int i = 0; i < 100_000; i++)
        {
            if (numbers.Allocate(out bool isFirst) is var number && isFirst)
                values.Open(number);
        }

        for (int i = 0; i < 100_000; i++)
        {
            if (numbers.Return(i))
                values.Close(i);
        }

        Assert.Equal(0, numbers.Capacity);
        Assert.All(Enumerable.Range(0, 100_000), number => Assert.False(values.IsOpen(number)));
        Assert.Equal(0, values[99_999]);
    }

    [Fact]
    public void ValueThatComesAndGoes_MakesNoGarbage()
    {
        SlotNumbers numbers = new();
        SlotSegments<long> values = new();
        void ComeAndGo()
        {
            int number = numbers.Allocate(out _);
            values.Open(number);
            numbers.Return(number);
            values.Close(number);
        }

        ComeAndGo();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000; i++)
            ComeAndGo();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
