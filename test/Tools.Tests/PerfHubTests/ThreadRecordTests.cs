using System.Text;
using PerfCommon.Codec;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfHub.FanOut;
using PerfHub.Services;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>The bytes of records between threads.</summary>
[Trait("Category", "Fast")]
public sealed class ThreadRecordTests
{
    [Fact]
    public void StreamAddress_AtItsLimits_IsReadAsItWasWritten()
    {
        foreach (StreamAddress address in (StreamAddress[])[new(1, 2, 3), new(int.MaxValue, int.MinValue, uint.MaxValue), new(-1, -2, 0)])
        {
            byte[] bytes = new byte[StreamAddress.Bytes + 1];
            address.Write(bytes);
            Assert.Equal((address, 0, 12), (StreamAddress.Read(bytes), bytes[^1], StreamAddress.Bytes));
        }

        byte[] layout = new byte[12];
        new StreamAddress(0x01020304, 0x05060708, 0x090A0B0C).Write(layout);
        Assert.Equal("040302010807060" + "50C0B0A09", Convert.ToHexString(layout));
    }

    [Fact]
    public void PublishedHead_OfAMessage_IsReadAsItWasWritten()
    {
        byte[] bytes = new byte[PublishedHead.Bytes];
        PublishedHead head = new(long.MaxValue - 5, new ServiceKey(65_535, 60_000));
        head.Write(bytes);
        Assert.Equal((head, 12), (PublishedHead.Read(bytes), PublishedHead.Bytes));
        new PublishedHead(7, default).Write(bytes);
        Assert.Equal(new PublishedHead(7, default), PublishedHead.Read(bytes));
    }

    [Theory]
    [InlineData(0, 0, 0)]
    [InlineData(1, 0, 1)]
    [InlineData(0, 1, 65_536)]
    [InlineData(65_535, 65_535, -1)]
    [InlineData(7, 9, 589_831)]
    public void ServiceKey_AsANumber_IsThatOfItsIdAndSerial(ushort id, ushort serial, int number)
    {
        Assert.Equal((number, new ServiceKey(id, serial)), (new ServiceKey(id, serial).Number, ServiceKey.Of(number)));
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData("NAME", 0)]
    [InlineData("NAME", 5)]
    [InlineData("", int.MaxValue)]
    public void RequestedItem_WithAndWithoutAView_IsReadAsItWasWritten(string name, int view)
    {
        const ItemRequestMarks Marks = ItemRequestMarks.Streaming | ItemRequestMarks.Switch;
        byte[] room = new byte[RequestedItem.MaxBytes];
        int bytes = new RequestedItem(new StreamAddress(1, 2, 3), Marks, Encoding.ASCII.GetBytes(name), view).Write(room);
        Assert.Equal(14 + name.Length + (view == 0 ? 0 : 4), bytes);
        RequestedItem read = RequestedItem.Read(room.AsSpan(0, bytes));
        Assert.Equal((new StreamAddress(1, 2, 3), name, view), (read.Address, Encoding.ASCII.GetString(read.Name), read.View));
        Assert.Equal((true, true, false, view != 0, DomainType.MarketPrice),
            (read.Has(ItemRequestMarks.Streaming), read.Has(ItemRequestMarks.Switch), read.Has(ItemRequestMarks.Private), read.Has(ItemRequestMarks.View),
                read.Domain));
    }

    [Fact]
    public void RequestedItem_OfTheLongestName_FitsWithAView()
    {
        byte[] room = new byte[RequestedItem.MaxBytes];
        byte[] name = Encoding.ASCII.GetBytes(new string('N', 255));
        Assert.Equal(RequestedItem.MaxBytes, new RequestedItem(default, ItemRequestMarks.OrderBook, name, 1).Write(room));
        Assert.Equal((255, DomainType.MarketByOrder), (RequestedItem.Read(room).Name.Length, RequestedItem.Read(room).Domain));
    }

    [Fact]
    public void Copies_OfEachKindOfRecord_AreCountedWhereTheyAreMessagesOfMany()
    {
        foreach (SourceRecord kind in Enum.GetValues<SourceRecord>())
        {
            Counter? expected = kind switch
            {
                SourceRecord.Update => HubCounter.UpdatesCopied,
                SourceRecord.Reflection => HubCounter.PostsCopied,
                SourceRecord.Generic => HubCounter.GenericCopied,
                SourceRecord.Received or SourceRecord.Status or SourceRecord.Image or SourceRecord.Final or SourceRecord.Watch or SourceRecord.WatchWithAnswer
                    or SourceRecord.Answer or SourceRecord.Direct or SourceRecord.Reissued or SourceRecord.Await or SourceRecord.WatchWithParts
                    or SourceRecord.AnswerInParts or SourceRecord.DirectInParts or SourceRecord.Moved => null,
                _ => throw new InvalidOperationException($"{kind} has no row"),
            };
            Assert.Equal(expected, kind.Copies());
        }
    }

    /// <summary>Kinds are 1 to 127: the highest bit marks a record outside the ring, and 0 a place that is skipped.</summary>
    [Fact]
    public void Kinds_OfRecords_FitIntoTheirByte()
    {
        Assert.All(Enum.GetValues<SourceRecord>(), kind => Assert.InRange((int)kind, 1, 127));
        Assert.All(Enum.GetValues<SessionRecord>(), kind => Assert.InRange((int)kind, 1, 127));
        Assert.Equal(0x80, LargeRecords.Flag);
    }

    [Theory]
    [InlineData(0, 0, 0, false)]
    [InlineData(1, 0, 1, false)] // without a maximum
    [InlineData(0, 1, 0, false)] // it would never grow
    [InlineData(1, 1, 0, true)]
    [InlineData(0, 1, 1, true)]
    public void BurstSettings_OfAnInterval_AreOnWhereItCanExceedNothing(long min, long max, long increment, bool isOn)
    {
        Assert.Equal((isOn, false), (new BurstSettings(min, max, increment).IsOn, BurstSettings.Off.IsOn));
    }

    [Fact]
    public void LargeRecords_AtTheirMaximum_AreFullUntilOneIsRead()
    {
        LargeRecords records = new();
        for (int round = 0; round < 3; round++)
        {
            records.Add(new byte[(16 * 1024 * 1024) - 1]);
            Assert.False(records.IsFull);
            records.Add([7]);
            Assert.True(records.IsFull);
            RingRecord first = records.Dequeue(kind: 5, number: 6);
            Assert.Equal((5, 6, 0, (16 * 1024 * 1024) - 1, false), (first.Kind, first.Number, first.At, first.Length, records.IsFull));
            Assert.Equal(7, records.Dequeue(5, 6).Bytes[0]);
        }

        Assert.Throws<InvalidOperationException>(() => records.Dequeue(1, 1));
    }
}
