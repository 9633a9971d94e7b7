using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>
/// Any sequence of losses, closes, service changes, subscriptions and releases leaves consumer and provider as in a simple model.
/// </summary>
public class WatchlistModelTests
{
    private const int Seeds = 1_000;
    private const int Steps = 30;

    [Fact]
    public void AnySequence_LeavesWhatTheModelSays() => Play(everyNth: 7);

    [LongFact]
    public void AnySequenceOfAllSeeds_LeavesWhatTheModelSays() => Play(everyNth: 1);

    private static void Play(int everyNth)
    {
        for (int seed = 0; seed < Seeds; seed += everyNth)
        {
            using Run run = new(seed);
            for (int step = 0; step < Steps; step++)
                run.Step();
            run.Settle();
        }
    }

    private sealed class Run : IDisposable
    {
        private readonly int _seed;
        private readonly Random _random;
        private readonly Watcher _watcher = new();
        private readonly RecoveryBench _bench;
        private bool _isThere;
        private bool _isUp;

        public Run(int seed)
        {
            (_seed, _random) = (seed, new Random(seed));
            ProviderSessionOptions provider = SessionSamples.Provider with
            {
                Offer = SessionSamples.Provider.Offer! with { SupportBatchRequests = seed % 2 == 0 ? LoginOffer.BatchRequests : null },
            };
            RecoveryOptions recovery = new()
            {
                Watchlist = true,
                FirstRetry = TimeSpan.FromMilliseconds(5),
                MaxRetry = TimeSpan.FromMilliseconds(20)
            };
            _bench = new RecoveryBench(3, recovery, provider, _watcher);
            for (int item = 0; item < 3; item++)
                _watcher.Names[item] = $"RDT{item + 1}";
            Start();
        }

        public void Step()
        {
            switch (_random.Next(10))
            {
                case 0 when _isThere:
                    _bench.KillProvider();
                    _isThere = false;
                    break;
                case 0 or 1 when !_isThere:
                    Start();
                    break;
                case 2 when _isThere && _bench.Provider.Lines.Contains("ready"):
                    _bench.Say(DirectoryMessages.Service(_isUp = !_isUp));
                    break;
                case 3 or 4 when _isThere && _isUp && FindOpen() is var slot and >= 0:
                    CloseItem(slot, _random.Next(2) == 0 ? StreamState.Closed : StreamState.ClosedRecover);
                    break;
                case 5 or 6 when _watcher.Names.Count > 0:
                    int handle = _watcher.Names.Keys.ElementAt(_random.Next(_watcher.Names.Count));
                    _watcher.Names.Remove(handle);
                    Assert.True(_bench.Consumer.Session.Release(handle));
                    break;
                case 7:
                    string[] names = [.. Enumerable.Range(0, 3).Select(_ => AnyName())];
                    int[] handles = _bench.Consumer.Session.Subscribe(names);
                    for (int i = 0; i < names.Length; i++)
                        _watcher.Add(handles[i], names[i]);
                    break;
                default:
                    string name = AnyName();
                    _watcher.Add(_bench.Consumer.Session.Subscribe(name), name);
                    break;
            }

            _bench.Pass(_random.Next(8));
        }

        /// <summary>
        /// With the provider connected and its service up, every handle has its image, and the provider has each subscribed item once.
        /// </summary>
        public void Settle()
        {
            if (!_isThere)
                Start();
            _bench.Pass(100);
            if (!_isUp)
                _bench.Say(DirectoryMessages.Service(isUp: true));
            _bench.Pass(1_200); // an item that was refused is requested again after a second
            string where = $"seed {_seed}";
            Assert.True(_watcher.Fault is null, $"{where}: {_watcher.Fault}");
            HashSet<string> wanted = [.. _watcher.Names.Where(pair => !_watcher.Closed.Contains(pair.Key)).Select(pair => pair.Value)];
            Assert.All(_watcher.Names.Keys.Except(_watcher.Closed),
                handle => Assert.True(_watcher.Good.Contains(handle), $"{where}: {_watcher.Names[handle]} by {handle} has no image"));
            Assert.True(_bench.Provider.Session.OpenItems == wanted.Count,
                $"{where}: {_bench.Provider.Session.OpenItems} items are open, {wanted.Count} are wanted");
            Assert.All(wanted,
                name => Assert.True(_bench.Provider.Session.Items.FindName(Encoding.ASCII.GetBytes(name)) >= 0, $"{where}: {name}"));
        }

        public void Dispose() => _bench.Dispose();

        private void Start()
        {
            _bench.StartProvider();
            _bench.Pass(_random.Next(60));
            (_isThere, _isUp) = (true, true);
        }

        private string AnyName() => $"RDT{_random.Next(1, 9)}";

        private int FindOpen()
        {
            _bench.Pass(3);
            return _bench.Provider.Lines.Contains("ready") && _bench.Provider.Session.UpdatingItems is var count and > 0
                ? _bench.Provider.Session.UpdatingItemAt(_random.Next(count)) : -1;
        }

        private void CloseItem(int slot, StreamState state)
        {
            ProviderItems items = _bench.Provider.Session.Items;
            int stream = items.StreamIdOf(slot);
            items.Close(slot);
            _bench.Say(Wire.Encode(new RwfMsg
            {
                MsgClass = MsgClass.Status,
                DomainType = DomainType.MarketPrice,
                StreamId = stream,
                Flags = StatusFlags.HasState,
                State = new RwfState(state, DataState.Suspect),
            }));
            _bench.Pass(2);
        }
    }

    // Records the last event of each handle, and events that should not have been delivered.
    private sealed class Watcher : ConsumerHandler
    {
        public Dictionary<int, string> Names { get; } = [];

        public HashSet<int> Good { get; } = [];

        public HashSet<int> Closed { get; } = [];

        public string? Fault { get; private set; }

        public void Add(int handle, string name)
        {
            if (!Names.TryAdd(handle, name))
                Fault ??= $"handle {handle} was given twice";
            Good.Remove(handle);
            Closed.Remove(handle);
        }

        protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
        {
            Check(item, "refresh");
            if (Names.TryGetValue(item, out string? name) && !refresh.Key.Name.SequenceEqual(Encoding.ASCII.GetBytes(name)))
                Fault ??= $"handle {item} of {name} got the image of {Encoding.ASCII.GetString(refresh.Key.Name)}";
            Good.Add(item);
        }

        protected internal override void OnStatus(int item, scoped in RwfMsg status)
        {
            Check(item, "status");
            if (status.State.StreamState == StreamState.Closed)
                Closed.Add(item);
        }

        protected internal override void OnItemState(int item, scoped in RwfState state)
        {
            Check(item, "state");
            Good.Remove(item);
        }

        private void Check(int handle, string what)
        {
            if (!Names.ContainsKey(handle) || Closed.Contains(handle))
                Fault ??= $"{what} for handle {handle}, which wants nothing";
        }
    }
}
