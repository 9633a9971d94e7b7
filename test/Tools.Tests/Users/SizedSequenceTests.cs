using PerfCommon.Load;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public class SizedSequenceTests
{
    private const int First = SizedMessages.MinCount;
    private const int Last = SizedMessages.MaxCount;

    [Theory]
    [InlineData("1 2 3 4", "")]
    [InlineData("1 2 4 5", "skipped 1")] // 3 is lost
    [InlineData("1 2 2 3", "Repeated")]
    [InlineData("1 3 2 4", "skipped 1, Late")] // 2 and 3 change places
    [InlineData("1 3 2 2 4", "skipped 1, Late, Repeated")] // and 2 comes twice
    [InlineData("1 2 5 4 4 6", "skipped 2, Late, Repeated")]
    [InlineData("1 6 2 3 4 5 7", "skipped 4, Late, Late, Late, Late")]
    [InlineData("1 6 4 7 4 2", "skipped 4, Late, Repeated, Late")]
    [InlineData("0 1", "Repeated")] // part of the image
    [InlineData("1 33 2 3", "skipped 31, Late, Late")]
    [InlineData("1 34 2 3", "skipped 32, FarBack, Late")] // 2 is 32 too low
    [InlineData("1 90 59 58", "skipped 88, Late, FarBack")]
    public void Receive_Counts_SaysWhatEachIs(string counts, string steps) => Assert.Equal(steps, Receive(First, counts));

    [Fact]
    public void Receive_EveryPlaceInTheWindow_IsKnownByItself()
    {
        for (int back = 1; back < 32; back++)
        {
            SizedSequence sequence = default;
            sequence.Begin(First);
            Assert.Equal(SequenceStep.Skipped, sequence.Receive(First + 40, out int skipped));
            Assert.Equal(39, skipped);
            Assert.Equal(SequenceStep.Late, sequence.Receive(First + 40 - back, out _));
            Assert.Equal(SequenceStep.Repeated, sequence.Receive(First + 40 - back, out _));
            Assert.Equal(SequenceStep.Next, sequence.Receive(First + 41, out _));
        }
    }

    [Theory]
    [InlineData(0, "")] // the one after the last is the first
    [InlineData(2, "skipped 2")]
    [InlineData(-1, "Repeated")]
    public void Receive_CountsBeginAnew_FollowEachOther(int offset, string steps)
    {
        SizedSequence sequence = default;
        sequence.Begin(Last);
        Assert.Equal(steps, Describe(sequence.Receive(offset < 0 ? Last : First + offset, out int skipped), skipped));
    }

    [Theory]
    [InlineData(SizedCount.None)]
    [InlineData(First - 1)]
    public void Receive_WhatIsNoCount_IsOutOfOrderAndChangesNothing(int count)
    {
        SizedSequence sequence = default;
        sequence.Begin(First + 100);
        Assert.Equal(SequenceStep.FarBack, sequence.Receive(count, out int skipped));
        Assert.Equal(0, skipped);
        Assert.Equal(SequenceStep.Next, sequence.Receive(First + 101, out _));
    }

    [Fact]
    public void Receive_AnyOrderAndRepeats_AddsUp()
    {
        Random random = new(36);
        for (int round = 0; round < 300; round++)
        {
            // 200 counts of which some are left out, others come up to 20 places later, and others twice
            List<(double Place, int Count)> sent = [];
            int lost = 0, repeated = 0;
            for (int i = 1; i <= 200; i++)
            {
                if (i < 200 && random.Next(10) == 0)
                {
                    lost++;
                    continue;
                }

                sent.Add((i + (random.Next(10) == 0 ? random.Next(20) : 0) - (i == 200 ? 0 : 0.5), First + i));
                if (random.Next(10) != 0)
                    continue;
                repeated++;
                sent.Add((sent[^1].Place + random.Next(8), First + i));
            }

            SizedSequence sequence = default;
            sequence.Begin(First);
            int[] steps = new int[Enum.GetValues<SequenceStep>().Length];
            int skipped = 0;
            foreach ((_, int count) in sent.OrderBy(one => one.Place))
            {
                steps[(int)sequence.Receive(count, out int passed)]++;
                skipped += passed;
            }

            Assert.Equal((lost, repeated, 0),
                (skipped - steps[(int)SequenceStep.Late], steps[(int)SequenceStep.Repeated], steps[(int)SequenceStep.FarBack]));
        }
    }

    private static string Receive(int first, string counts)
    {
        SizedSequence sequence = default;
        sequence.Begin(first);
        return string.Join(", ", counts.Split(' ').Select(count =>
            Describe(sequence.Receive(first + int.Parse(count, System.Globalization.CultureInfo.InvariantCulture), out int skipped), skipped))
            .Where(step => step.Length > 0));
    }

    private static string Describe(SequenceStep step, int skipped) => step switch
    {
        SequenceStep.Next => "",
        SequenceStep.Skipped => $"skipped {skipped}",
        _ => step.ToString(),
    };
}
