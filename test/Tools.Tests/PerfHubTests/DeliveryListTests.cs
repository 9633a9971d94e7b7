using PerfCommon.Workers;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Deliveries as numbers, and the lists in which they wait for a connection.</summary>
[Trait("Category", "Fast")]
public sealed class DeliveryListTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Delivery_OfEachKind_KeepsIt(bool isAnswer)
    {
        for (MessageKind kind = 0; kind <= MessageKind.Other; kind++)
        {
            Delivery delivery = new(11, 22, 33, kind, isAnswer);
            Assert.Equal((11, 22, 33, kind, isAnswer, false, 0),
                (delivery.At, delivery.Length, delivery.StreamId, delivery.Kind, delivery.IsAnswer, delivery.IsKept, delivery.Turn));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData((1 << 22) - 1)]
    public void Kept_OfATurn_IsAnUpdateOfThatTurn(int turn)
    {
        Delivery kept = Delivery.Kept(11, 22, turn) with { StreamId = 33 };
        Assert.Equal((11, 22, 33, MessageKind.Update, false, true, turn),
            (kept.At, kept.Length, kept.StreamId, kept.Kind, kept.IsAnswer, kept.IsKept, kept.Turn));
        Assert.Equal(1 << 22, Delivery.Turns);
    }

    [Fact]
    public void Add_OfAny_IsDrainedInOrderTimeAfterTime()
    {
        DeliveryList list = new();
        for (int round = 0; round < 1_000; round++)
        {
            for (int i = 0; i < 9; i++)
                list.Add(new Delivery(i, round, 3, MessageKind.Update, isAnswer: false));
            (list.Bytes, list.IsHeld, list.IsListed, list.IsFresh, list.Arrived) = (77, true, true, true, 5);
            Assert.Equal(9, list.Count);
            Assert.Equal(Enumerable.Range(0, 9).Select(i => (i, round)), list.Drain().ToArray().Select(one => (one.At, one.Length)));
            Assert.Equal((0, 0, false, true, true, 5, -1),
                (list.Count, list.Bytes, list.IsHeld, list.IsListed, list.IsFresh, list.Arrived, list.LastTurn));
            Assert.Equal(0, list.Drain().Length);
        }
    }

    /// <summary>The array that many messages needed is given up after 64 uses for few, unless one of them was for many.</summary>
    [Theory]
    [InlineData(4_096, 511, false)] // not large
    [InlineData(4_097, 1_023, true)] // of 8,192
    [InlineData(4_097, 1_024, false)]
    public void Drain_OfFewAgainAndAgain_GivesUpALargeArray(int many, int few, bool isGivenUp)
    {
        DeliveryList list = new();
        Fill(ref list, many);
        list.Drain();
        for (int i = 0; i < 63; i++)
        {
            Fill(ref list, few);
            list.Drain();
        }

        Fill(ref list, few);
        list.Drain();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Fill(ref list, few);
        Assert.Equal(isGivenUp, GC.GetAllocatedBytesForCurrentThread() > before);
    }

    [Fact]
    public void Drain_OfManyBetween_KeepsALargeArray()
    {
        DeliveryList list = new();
        for (int round = 0; round < 4; round++)
        {
            Fill(ref list, 5_000);
            list.Drain();
            for (int i = 0; i < 63; i++)
            {
                Fill(ref list, 1);
                list.Drain();
            }
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        Fill(ref list, 5_000);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void Reserve_OfANumber_BeginsAnEmptyListAndKeepsTheOthers()
    {
        PendingDeliveries lists = new();
        for (int number = 0; number < 200; number++)
        {
            lists.Reserve(number);
            lists[number].Add(new Delivery(number, 1, 1, MessageKind.Other, isAnswer: false));
        }

        Assert.Equal(Enumerable.Range(0, 200), Enumerable.Range(0, 200).Select(number => lists[number].Drain()[0].At));
        lists[63].Add(default);
        lists[64].Add(default);
        (lists[63].IsListed, lists[63].LastTurn, lists[63].Arrived) = (true, 4, 2);
        lists.Reserve(63);
        Assert.Equal((0, false, -1, 0, 1), (lists[63].Count, lists[63].IsListed, lists[63].LastTurn, lists[63].Arrived, lists[64].Count));
        lists.Reserve(1_000);
        Assert.Equal((1_001, 1), (lists.All.Length, lists[64].Count));
    }

    private static void Fill(ref DeliveryList list, int count)
    {
        for (int i = 0; i < count; i++)
            list.Add(new Delivery(i, 1, 1, MessageKind.Update, isAnswer: false));
    }
}
