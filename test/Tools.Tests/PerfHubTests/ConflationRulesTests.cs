using PerfCommon.Codec;
using PerfCommon.Tests.Domains;
using PerfHub.Cache;
using PerfHub.Consumers;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Updates that wait for a slow consumer: the result of conflating several, their order, and their reported size.</summary>
[Trait("Category", "Fast")]
public class ConflationRulesTests
{
    private const int PlentyBytes = 1 << 20;

    private readonly ConflatedUpdates _waiting = new(new FieldLimit(), PlentyBytes);

    [Fact]
    public void Updates_OfOneStream_BecomeOneWithTheLastTypeAndTheLastValues()
    {
        Assert.Equal((Conflation.Merged, false), Add(7, UpdateType.Quote, (1, 10), (2, 20)));
        Assert.Equal((Conflation.Merged, true), Add(7, UpdateType.Trade, (2, 21)));
        Assert.Equal((Conflation.Merged, true), Add(7, UpdateType.NewsAlert, (3, 30)));
        RwfMsg update = Take(7);
        Assert.Equal((UpdateType.NewsAlert, DomainType.MarketPrice, 7), (update.UpdateType, update.DomainType, update.StreamId));
        Assert.Equal([(1, 10), (2, 21), (3, 30)], HostileMessages.Read(update.Payload).Select(field => ((int)field.Key, (int)field.Value[0])).Order());
        Assert.False(_waiting.Has(7));
    }

    [Fact]
    public void Streams_ThatWait_GoInTheOrderOfTheirFirstUpdate()
    {
        foreach (int stream in (int[])[5, 3, 9, 3, 5])
            Add(stream, UpdateType.Quote, (1, stream));
        Assert.Equal(3, _waiting.Count);
        Assert.True(_waiting.Remove(3));
        Assert.False(_waiting.Remove(3));
        Add(3, UpdateType.Quote, (1, 33)); // anew, at its first place
        List<int> order = [];
        while (_waiting.TryPeek(out int stream))
        {
            order.Add(stream);
            Take(stream);
        }

        Assert.Equal([5, 3, 9], order);
        Assert.Equal((0, 0), (_waiting.Count, _waiting.HeldBytes));
    }

    /// <summary>So much that one more byte would be too much; then the stream that has no room is given up, and the others stay.</summary>
    [Fact]
    public void Update_OneByteTooLarge_HasNoRoomAndTheOthersStay()
    {
        Add(1, UpdateType.Quote, (1, 1));
        Add(2, UpdateType.Quote, (1, 1), (2, 2));
        int exactly = _waiting.HeldBytes;
        ConflatedUpdates full = new(new FieldLimit(), exactly), tooSmall = new(new FieldLimit(), exactly - 1);
        foreach (ConflatedUpdates updates in (ConflatedUpdates[])[full, tooSmall])
            Assert.Equal(Conflation.Merged, updates.Add(1, Update(1, UpdateType.Quote, (1, 1)), out _));
        Assert.Equal(Conflation.Merged, full.Add(2, Update(2, UpdateType.Quote, (1, 1), (2, 2)), out _));
        Assert.Equal(Conflation.NoRoom, tooSmall.Add(2, Update(2, UpdateType.Quote, (1, 1), (2, 2)), out bool hadWaited));
        Assert.False(hadWaited);
        Assert.Equal((true, true, 2), (full.Has(1), full.Has(2), full.Count));
        Assert.Equal((true, false, 1), (tooSmall.Has(1), tooSmall.Has(2), tooSmall.Count));
        Assert.True(tooSmall.HeldBytes < exactly);
    }

    [Fact]
    public void Update_OfMoreFieldsThanAreKept_HasNoRoom()
    {
        FieldLimit limit = new(2);
        ConflatedUpdates waiting = new(limit, PlentyBytes);
        Assert.Equal(Conflation.Merged, waiting.Add(1, Update(1, UpdateType.Quote, (1, 1), (2, 2)), out _));
        Assert.Equal(Conflation.NoRoom, waiting.Add(1, Update(1, UpdateType.Quote, (3, 3)), out bool hadWaited));
        Assert.Equal((true, false, 0), (hadWaited, waiting.Has(1), waiting.HeldBytes));
    }

    /// <summary>Its user would be lost: the image has its values.</summary>
    [Fact]
    public void Update_ThatReflectsAPost_IsNotMerged()
    {
        byte[] reflected = Wire.Encode(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.MarketPrice,
            StreamId = 7,
            Flags = UpdateFlags.HasPostUserInfo,
            ContainerType = DataType.FieldList,
            Payload = HostileMessages.List(1, 1),
        });
        Assert.Equal((Conflation.NoRoom, false), (_waiting.Add(7, reflected, out bool hadWaited), hadWaited));
        Add(7, UpdateType.Quote, (1, 10));
        Assert.Equal((Conflation.NoRoom, true), (_waiting.Add(7, reflected, out hadWaited), hadWaited));
        Assert.Equal((false, 0), (_waiting.Has(7), _waiting.HeldBytes));
    }

    [Fact]
    public void Message_ThatIsNoUpdateOfFields_IsNotMerged()
    {
        byte[] list = HostileMessages.List(1, 1);
        byte[] Of(DomainType domain, DataType type)
        {
            byte[] message = new byte[UpdateHeader.Length + list.Length];
            UpdateHeader.Write(message, domain, 7, type, UpdateType.Quote);
            list.CopyTo(message, UpdateHeader.Length);
            return message;
        }

        Assert.Equal(Conflation.Merged, _waiting.Add(7, Of(DomainType.MarketPrice, DataType.FieldList), out _));
        foreach (byte[] other in (byte[][])[Of(DomainType.MarketByOrder, DataType.FieldList), Of(DomainType.MarketPrice, DataType.Map), [1, 2, 3]])
            Assert.Equal((Conflation.NotMergeable, false), (_waiting.Add(7, other, out bool hadWaited), hadWaited));
        Assert.Equal(1, _waiting.Count);
    }

    [Fact]
    public void Room_ForWhatWaits_IsEnoughAtEachCount()
    {
        for (int fields = 1; fields <= 300; fields++)
        {
            Assert.Equal(Conflation.Merged, _waiting.Add(7, HostileMessages.Update(7, HostileMessages.List(1, fields, fields % 100)), out _));
            byte[] room = new byte[_waiting.MaxBytesOf(7)];
            int bytes = _waiting.Dequeue(7, room);
            Assert.Equal(fields, HostileMessages.Read(Wire.Decode(room.AsSpan(0, bytes)).Payload).Count);
        }
    }

    [Fact]
    public void Streams_FilledAndTakenThousandTimes_TakeNothingAtTheEnd()
    {
        for (int round = 0; round < 1_000; round++)
        {
            for (int stream = 1; stream <= 5; stream++)
                Assert.Equal((Conflation.Merged, false), Add(stream, UpdateType.Quote, ((round % 50) + 1, stream)));
            HashSet<int> taken = [];
            while (_waiting.TryPeek(out int stream))
            {
                Take(stream);
                Assert.True(taken.Add(stream));
            }

            Assert.Equal(5, taken.Count);
        }

        Assert.Equal((0, 0), (_waiting.Count, _waiting.HeldBytes));
    }

    private (Conflation, bool) Add(int stream, UpdateType type, params (int Id, int Value)[] fields)
    {
        Conflation outcome = _waiting.Add(stream, Update(stream, type, fields), out bool hadWaited);
        return (outcome, hadWaited);
    }

    private RwfMsg Take(int stream)
    {
        byte[] room = new byte[_waiting.MaxBytesOf(stream)];
        return Wire.Decode(room.AsSpan(0, _waiting.Dequeue(stream, room)));
    }

    private static byte[] Update(int stream, UpdateType type, params (int Id, int Value)[] fields)
    {
        byte[] list = [ListFlags.HasStandardData, 0, (byte)fields.Length, .. fields.SelectMany(field => (byte[])[0, (byte)field.Id, 1, (byte)field.Value])];
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, stream, DataType.FieldList, type);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }
}
