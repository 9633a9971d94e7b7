using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class SendLedgerTests
{
    private readonly SendLedger _ledger = new();
    private readonly CounterSet _counters = new();

    [Fact]
    public void Settle_RunsOfKinds_BooksInOrder()
    {
        _ledger.Record(MessageKind.Other, 2);
        _ledger.Record(MessageKind.Refresh, 3);
        _ledger.Record(MessageKind.Update, 4);
        _ledger.Record(MessageKind.Refresh, 1);
        _ledger.Settle(_counters, 6);

        Assert.Equal((3, 1), (Sent(MessageKind.Refresh), Sent(MessageKind.Update)));
        Assert.Equal((0, 1, 3), (Open(MessageKind.Other), Open(MessageKind.Refresh), Open(MessageKind.Update)));
        _ledger.Settle(_counters, 10);
        Assert.Equal((4, 4), (Sent(MessageKind.Refresh), Sent(MessageKind.Update)));
        Assert.Equal((0, 0, 0), (Open(MessageKind.Other), Open(MessageKind.Refresh), Open(MessageKind.Update)));
    }

    [Fact]
    public void Settle_PartOfTheRunStillOpen_GoesOnInIt()
    {
        _ledger.Record(MessageKind.Update, 5);
        _ledger.Settle(_counters, 2);
        _ledger.Record(MessageKind.Update, 1);
        Assert.Equal((2, 4), (Sent(MessageKind.Update), Open(MessageKind.Update)));
        _ledger.Record(MessageKind.Generic, 1);
        _ledger.Settle(_counters, 5);
        Assert.Equal((5, 1), (Sent(MessageKind.Update), Open(MessageKind.Update)));
        _ledger.Settle(_counters, 7);

        Assert.Equal((6, 1), (Sent(MessageKind.Update), Sent(MessageKind.Generic)));
    }

    [Fact]
    public void Settle_NothingNew_ChangesNothing()
    {
        _ledger.Settle(_counters, 0);
        _ledger.Record(MessageKind.Post, 2);
        _ledger.Settle(_counters, 1);
        _ledger.Settle(_counters, 1);

        Assert.Equal((1, 1), (Sent(MessageKind.Post), Open(MessageKind.Post)));
    }

    [Fact]
    public void Settle_Random_AgreesWithAPlainQueue()
    {
        Random random = new(5);
        Queue<MessageKind> queue = new();
        long[] sent = new long[6];
        long total = 0;
        for (int turn = 0; turn < 20_000; turn++)
        {
            MessageKind kind = (MessageKind)random.Next(6);
            int count = random.Next(4);
            _ledger.Record(kind, count);
            for (int i = 0; i < count; i++)
                queue.Enqueue(kind);
            for (int i = random.Next(4); i > 0 && queue.TryDequeue(out MessageKind gone); i--, total++)
                sent[(int)gone]++;
            _ledger.Settle(_counters, total);
            Assert.Equal((sent[(int)kind], (long)queue.Count(waiting => waiting == kind)), (Sent(kind), Open(kind)));
        }
    }

    private long Sent(MessageKind kind) => _counters[kind.Sent()!.Value];

    private long Open(MessageKind kind) => _ledger.Unsettled(kind);
}
