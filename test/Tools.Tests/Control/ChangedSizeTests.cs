using NIProvPerf;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using PerfHub.Counting;
using PerfTools.Hosting.Options;
using ProvPerf;
using Tools.Tests.PerfHubTests;
using Xunit;

namespace Tools.Tests.Control;

/// <summary>Another size of the updates, set while they are sent: from the next tick on they have it, and go on with their counts.</summary>
public sealed class ChangedSizeTests
{
    private const int Small = 54, Large = 108;

    private static readonly SizedMessages First = new(Small, SizedMessages.UsualFields(Small));

    private readonly UpdateSource _updates = new(First.Messages, sized: First);
    private readonly SizeLog _log = new();

    [Fact]
    public void Provider_SizeSetMeanwhile_IsThatOfTheNextUpdates()
    {
        ProvPerfOptions options = new() { UpdateSize = new UpdateSize(Small, 5) };
        using MemoryPair pair = new(new());
        pair.Connect(new ConsumerSession(MemoryPair.Asking("A", "B"), _log),
            new ProviderLoad(First.Messages, _updates, ProviderPlan.Of(options, worker: 0), FieldDictionary.Default));
        Change(condition => pair.Until(condition));
    }

    [Fact]
    public void Publisher_SizeSetMeanwhile_IsThatOfTheNextUpdates()
    {
        const string service = "PUBLISHED";
        NIProvPerfOptions options = new() { UpdateSize = new UpdateSize(Small, 5) };
        using MemoryHub hub = new();
        hub.Connect(new PublisherSession(new() { Service = new() { Name = service, Id = 9 }, Items = ItemList.Create(["A", "B"]) },
            new PublisherLoad(First.Messages, _updates, NIProvPerfRole.CreateUpdates(options, worker: 0))), asPublisher: true);
        hub.Until(() => hub.Sources.Recording[HubGauge.Items] == 2);
        hub.Consume(_log, service, ["A", "B"]);
        Change(condition => hub.Until(condition));
    }

    private void Change(Action<Func<bool>> until)
    {
        until(() => _log.Updates > 100);
        Assert.Equal([Small], _log.Sizes);
        Set(Large);
        until(() => _log.Sizes.Count == 2);
        int before = _log.Updates;
        until(() => _log.Updates > before + 100);
        Assert.Equal([Small, Large], _log.Sizes);
        Assert.Equal([SequenceStep.Next], _log.Steps);
    }

    private void Set(int bytes) => _updates.Sized = new SizedMessages(bytes, SizedMessages.UsualFields(bytes));

    /// <summary>The sizes of updates, each once in their order, and the steps of their counts.</summary>
    private sealed class SizeLog : ConsumerHandler
    {
        private readonly Dictionary<int, SizedSequence> _items = [];

        public List<int> Sizes { get; } = [];

        public HashSet<SequenceStep> Steps { get; } = [];

        public int Updates { get; private set; }

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
        {
            SizedSequence sequence = default;
            sequence.Begin(SizedCount.OfImage(refresh.Payload));
            _items[item] = sequence;
        }

        protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
        {
            Updates++;
            SizedSequence sequence = _items[item];
            Steps.Add(sequence.Receive(SizedCount.Read(update.Payload, out _), out _));
            _items[item] = sequence;
            if (Sizes.Count == 0 || Sizes[^1] != update.Message.Length)
                Sizes.Add(update.Message.Length);
        }
    }
}
