using PerfCommon.Measurement;
using PerfCommon.Workers;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Updates that wait, turn by turn: where their bytes are, how many are held, and the batches that end when they are sent.</summary>
[Trait("Category", "Fast")]
public sealed class PendingTurnsTests
{
    private readonly PendingUpdates _kept = new();
    private readonly ThroughLatency _book = new(new LatencySeries(LatencyUnit.Microseconds));
    private readonly List<Delivery> _waiting = [];
    private int _lastTurn = -1;

    [Fact]
    public void Release_UpdatesOfSeveralTurns_ReturnsTheBatchesOfEarlierTurnsOnce()
    {
        PendingLatencies first = NewBatch(), third = NewBatch();
        Wait(1, 2);
        _kept.EndTurn(first);
        Wait(3);
        _kept.EndTurn(null);
        Wait(4);
        _waiting.Add(new Delivery(0, 5, 7, MessageKind.Other, isAnswer: false));
        Wait(5);
        _kept.EndTurn(third);
        Wait(6);
        Assert.Equal((3, 1), (_lastTurn, _kept.ConnectionsNow));
        Assert.Equal([first, third], _kept.Release([.. _waiting], ref _lastTurn).ToArray());
        Assert.Equal((-1, 0), (_lastTurn, _kept.ConnectionsNow));
        Assert.Empty(_kept.Release([.. _waiting], ref _lastTurn).ToArray());
        Wait(7);
        Assert.Empty(_kept.Release([_waiting[^1]], ref _lastTurn).ToArray()); // of this turn
        Assert.Equal((-1, 0), (_lastTurn, _kept.ConnectionsNow));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(int.MaxValue - 50)]
    public void Release_OfTwoHundredTurns_ReturnsEveryBatchInOrder(int firstTurn)
    {
        PendingUpdates kept = new(firstTurn);
        List<PendingLatencies> batches = [];
        for (int turn = 0; turn < 200; turn++)
        {
            _waiting.Add(kept.Add([(byte)turn]));
            kept.Count(ref _lastTurn);
            batches.Add(NewBatch());
            kept.EndTurn(batches[^1]);
        }

        Assert.Equal(Enumerable.Range(0, 200), _waiting.Select(one => (int)kept.Bytes[kept.PlaceOf(one.At)]));
        Assert.Equal(batches, kept.Release([.. _waiting], ref _lastTurn).ToArray());
    }

    [Fact]
    public void ConnectionsNow_OfATurn_CountsEachConnectionOnce()
    {
        int one = -1, other = -1;
        Delivery first = _kept.Add([1]);
        _kept.Count(ref one);
        _kept.Count(ref one);
        _kept.Count(ref other);
        Assert.Equal((2, 0, 0), (_kept.ConnectionsNow, one, other));
        _kept.Release([first, first], ref one);
        Assert.Equal((1, -1), (_kept.ConnectionsNow, one));
        _kept.EndTurn(null);
        Assert.Equal(0, _kept.ConnectionsNow);
        Delivery second = _kept.Add([2]);
        _kept.Count(ref one);
        Assert.Equal((1, 1), (_kept.ConnectionsNow, one));
        _kept.Release([first], ref other); // it has waited since the turn before
        Assert.Equal((1, -1), (_kept.ConnectionsNow, other));
        _kept.Release([second], ref one);
        Assert.Equal((0, -1), (_kept.ConnectionsNow, one));
    }

    /// <summary>The smallest array stays when it is empty; a larger one does not.</summary>
    [Theory]
    [InlineData(1, 65_536, 65_536)]
    [InlineData(65_536, 65_536, 65_536)]
    [InlineData(65_537, 131_072, 0)]
    [InlineData(131_073, 262_144, 0)]
    public void HeldBytes_OfOneUpdate_AreThePowerOfTwoThatHoldsIt(int bytes, int held, int heldThen)
    {
        Assert.Equal(0, _kept.HeldBytes);
        for (int round = 0; round < 3; round++)
        {
            _kept.Add(new byte[bytes]);
            Assert.Equal(held, _kept.HeldBytes);
            _kept.EndTurn(null);
            Assert.Equal(heldThen, _kept.HeldBytes);
        }
    }

    [Theory]
    [InlineData(25_536, 40_000, 65_536)] // up to the very end
    [InlineData(25_537, 0, 65_536)]
    [InlineData(40_000, 0, 65_536)] // all that is free before
    [InlineData(40_001, 40_000, 131_072)]
    public void Add_NearTheEndOfTheArray_StaysInOnePiece(int bytes, int place, int held)
    {
        _kept.Add(new byte[40_000]);
        _kept.EndTurn(null);
        byte[] content = Content(bytes, seed: 9);
        Delivery delivery = _kept.Add(content);
        Assert.Equal((place, bytes, held, true), (_kept.PlaceOf(delivery.At), delivery.Length, _kept.HeldBytes, delivery.IsKept));
        Assert.Equal((1, 0, MessageKind.Update, false), (delivery.Turn, delivery.StreamId, delivery.Kind, delivery.IsAnswer));
        Assert.True(_kept.Bytes.AsSpan(place, bytes).SequenceEqual(content));
    }

    /// <summary>The bytes in a full array begin in its middle and go on at its beginning; a larger array has them as they were.</summary>
    [Fact]
    public void Add_ToAFullArrayThatBeginsInTheMiddle_KeepsWhatIsThere()
    {
        _kept.Add(new byte[40_000]);
        _kept.EndTurn(null);
        byte[][] contents = [Content(20_000, 1), Content(30_000, 2), Content(20_000, 3)];
        List<Delivery> added = [_kept.Add(contents[0]), _kept.Add(contents[1])];
        Assert.Equal((65_536, 40_000, 0), (_kept.HeldBytes, _kept.PlaceOf(added[0].At), _kept.PlaceOf(added[1].At)));
        added.Add(_kept.Add(contents[2]));
        Assert.Equal(131_072, _kept.HeldBytes);
        Assert.Equal([40_000, 65_536, 95_536], added.Select(one => _kept.PlaceOf(one.At)));
        Assert.All(added.Zip(contents), pair => Assert.Equal(pair.Second, new MessageBytes([], _kept).Of(pair.First).ToArray()));
    }

    /// <summary>What no longer waits is free once nothing older waits.</summary>
    [Fact]
    public void EndTurn_WhileAnOlderUpdateWaits_FreesNothing()
    {
        _waiting.Add(_kept.Add(new byte[60_000]));
        _kept.Count(ref _lastTurn);
        _kept.EndTurn(null);
        _kept.Add(new byte[5_000]);
        _kept.EndTurn(null);
        _kept.Add(new byte[536]);
        Assert.Equal(65_536, _kept.HeldBytes);
        _kept.Add([1]);
        Assert.Equal(131_072, _kept.HeldBytes);
        _kept.EndTurn(null);
        Assert.Equal(131_072, _kept.HeldBytes);
        _kept.Release([.. _waiting], ref _lastTurn);
        _kept.EndTurn(null);
        Assert.Equal(0, _kept.HeldBytes);
    }

    [Theory]
    [InlineData(nameof(MessageKind.Refresh), true)]
    [InlineData(nameof(MessageKind.Refresh), false)]
    [InlineData(nameof(MessageKind.Update), false)]
    [InlineData(nameof(MessageKind.Other), false)]
    public void Delivery_OfABatch_HasTheMembersItWasCreatedWith(string kindName, bool isAnswer)
    {
        MessageKind kind = Enum.Parse<MessageKind>(kindName);
        Delivery delivery = new(3, 14, -5, kind, isAnswer);
        Assert.Equal((3, 14, -5, kind, isAnswer, false, 0),
            (delivery.At, delivery.Length, delivery.StreamId, delivery.Kind, delivery.IsAnswer, delivery.IsKept, delivery.Turn));
        Assert.Equal([4, 5], new MessageBytes([1, 2, 3, 4, 5, 6], _kept).Of(new Delivery(3, 2, 1, kind, isAnswer)).ToArray());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4_194_303)]
    public void Delivery_OfAKeptUpdate_HasItsTurn(int turn)
    {
        Delivery delivery = Delivery.Kept(int.MaxValue, 65_535, turn) with { StreamId = int.MaxValue };
        Assert.Equal((int.MaxValue, 65_535, int.MaxValue, MessageKind.Update, false, true, turn),
            (delivery.At, delivery.Length, delivery.StreamId, delivery.Kind, delivery.IsAnswer, delivery.IsKept, delivery.Turn));
        Assert.Equal(4_194_304, Delivery.Turns);
    }

    private static byte[] Content(int bytes, int seed)
    {
        byte[] content = new byte[bytes];
        new Random(seed).NextBytes(content);
        return content;
    }

    private void Wait(params byte[] contents)
    {
        foreach (byte content in contents)
        {
            _waiting.Add(_kept.Add([content]));
            _kept.Count(ref _lastTurn);
        }
    }

    private PendingLatencies NewBatch()
    {
        _book.Begin(1_000);
        return _book.Settle(waiting: 1, 2_000)!;
    }
}
