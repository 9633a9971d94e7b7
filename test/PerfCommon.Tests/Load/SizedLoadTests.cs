using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Tests.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Load;

/// <summary>Updates that count themselves, sent and checked by what the library offers to others: what is missing, late or repeated is seen.</summary>
public sealed class SizedLoadTests
{
    private const int Bytes = 100;
    private const ulong Stamp = 1_234_567_890;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact]
    public void Receive_UpdatesOfAProvider_NamesEachStep()
    {
        using PerfCommon.Reactor.Reactor reactor = new(options: new WorkerOptions { TickRate = 1_000 });
        int port = reactor.Provide(SessionSamples.Provider, () => new Sender(), new ListenOptions { Port = 0 });
        Receiver receiver = new();
        reactor.Consume(SessionPair.Items(2), receiver, new ConnectOptions { Host = "127.0.0.1", Port = port });
        for (Stopwatch waited = Stopwatch.StartNew(); receiver.Steps.Any(steps => steps.Count < 7) && waited.Elapsed < Limit;)
            reactor.Dispatch(TimeSpan.FromMilliseconds(5));

        // 1 2, then 4 without 3, 3, 5, 5 again, 6
        string[] expected = ["Next 0", "Next 0", "Skipped 1", "Late 0", "Next 0", "Repeated 0", "Next 0"];
        Assert.All(receiver.Steps, steps => Assert.Equal(expected, steps));
        Assert.All(receiver.Updates, update => Assert.Equal((Bytes, Stamp), update));
    }

    [Theory]
    [InlineData(33, 3)]
    [InlineData(6_001, 3)]
    [InlineData(100, 2)]
    [InlineData(40, 4)]
    public void Create_SizeThatIsNotPossible_IsRefused(int bytes, int fields) =>
        Assert.Equal("bytes", Assert.Throws<ArgumentException>(() => new SizedMessages(bytes, fields)).ParamName);

    private sealed class Sender : ProviderHandler
    {
        private static readonly SizedMessages Messages = new(Bytes, SizedMessages.UsualFields(Bytes));
        private static readonly int[] Changes = [0, 0, 1, -2, 1, -1, 0]; // of the count before each update
        private readonly int[] _counts = [SizedMessages.FirstCount, SizedMessages.FirstCount];
        private int _sent;

        protected internal override bool WantsTicks => _sent < Changes.Length;

        protected internal override int MaxRefreshBytes => Messages.MaxRefreshBytes;

        protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
            Messages.EncodeRefresh(ref writer, _counts[item]);

        protected internal override bool OnTick(in TickInfo tick)
        {
            if (Session.UpdatingItems < 2)
                return false;
            for (int i = 0; i < Session.UpdatingItems; i++)
            {
                int item = Session.UpdatingItemAt(i);
                _counts[item] += Changes[_sent];
                Assert.True(Session.TrySendSizedUpdate(item, Messages, ref _counts[item], Stamp));
            }

            _sent++;
            return true;
        }
    }

    private sealed class Receiver : ConsumerHandler
    {
        private readonly SizedSequence[] _items = new SizedSequence[2];

        public List<string>[] Steps { get; } = [[], []];

        public List<(int Bytes, ulong Stamp)> Updates { get; } = [];

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) =>
            _items[item].Begin(SizedCount.OfImage(refresh.Payload));

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
        {
            int count = SizedCount.Read(update.Payload, out ulong stamp);
            Steps[item].Add($"{_items[item].Receive(count, out int skipped)} {skipped}");
            Updates.Add((update.Payload.Length + HeaderBytes, stamp));
        }

        private const int HeaderBytes = 11; // wire/domains: the shortest header of an update
    }
}
