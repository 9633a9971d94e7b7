using System.Text;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>
/// Any sequence of subscriptions, releases, losses, closes and new connections leaves handles, items and streams as in a simple model.
/// </summary>
public class ItemHandlesTests
{
    private const int Seeds = 1_000;
    private const int Steps = 200;

    [Fact]
    public void AnySequence_LeavesWhatTheModelSays()
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            Model model = new(new Random(seed));
            for (int step = 0; step < Steps; step++)
            {
                model.Step();
                model.Check($"seed {seed}, step {step}");
            }
        }
    }

    // Handles by the name of their item; handles of an item that was closed for good are kept under a separate name.
    private sealed class Model(Random random)
    {
        private readonly WatchedItems _watched = new(0);
        private readonly Dictionary<string, List<int>> _handles = [];
        private readonly HashSet<int> _streamsUsed = [];
        private readonly HashSet<int> _closesDue = [];
        private long _now = Clock.NanosPerSecond;
        private int _closed;

        public void Step()
        {
            switch (random.Next(10))
            {
                case 0 or 1:
                    Subscribe();
                    break;
                case 2 when _handles.Count > 0:
                    Release();
                    break;
                case 3 when random.Next(5) == 0:
                    _watched.Begin(random.Next(3));
                    _streamsUsed.Clear();
                    _closesDue.Clear();
                    break;
                case 4 when TryPick(out int item) && _watched.IsOpen(item):
                    _watched.RecordLoss(item, _now);
                    break;
                case 5 when TryPick(out int item) && _watched.IsOpen(item):
                    _watched.RecordImage(item);
                    break;
                case 6 when random.Next(4) == 0 && _handles.Count > 0:
                    Close();
                    break;
                case 7:
                    _now += WatchedItems.UsualFirstRetryNanos;
                    _watched.Retry(_now);
                    break;
                case 8:
                    SendPendingRequests();
                    break;
                default:
                    if (_watched.HasRequests)
                        Assert.True(_watched.IsOpen(_watched.DequeueNext()));
                    break;
            }
        }

        public void Check(string where)
        {
            ItemHandles handles = _watched.Handles;
            HashSet<int> items = [];
            foreach ((string name, List<int> wanting) in _handles)
            {
                int item = handles.ItemOf(wanting[0]);
                Assert.True(items.Add(item), where); // one item for a name
                Assert.True(name.StartsWith(Encoding.ASCII.GetString(handles.NameOfItem(item)), StringComparison.Ordinal), where);
                Assert.All(wanting, handle => Assert.True(handles.ItemOf(handle) == item, where));
                Assert.True(Told(item).SequenceEqual(wanting), where);
                if (_watched.StreamIdOf(item) is var stream and > 0)
                    Assert.True(_watched.ItemOf(stream - StreamIds.FirstItem) == item, where);
            }

            int streams = Enumerable.Range(0, _watched.Streams).Count(stream => _watched.ItemOf(stream) >= 0);
            Assert.True(streams == items.Count(item => _watched.StreamIdOf(item) != 0), where); // and none for an item without handles
        }

        private List<int> Told(int item)
        {
            List<int> told = [];
            for (int handle = _watched.Handles.BeginDispatch(item); handle >= 0; handle = _watched.Handles.NextOf(handle))
                told.Add(handle);
            _watched.Handles.EndDispatch();
            return told;
        }

        private void Subscribe()
        {
            List<int> together = [];
            for (int i = random.Next(1, 4); i > 0; i--)
            {
                string name = $"RDT{random.Next(8)}";
                int handle = _watched.Handles.Add(Encoding.ASCII.GetBytes(name), ItemFlags.None, out int item);
                Assert.Equal(!_handles.ContainsKey(name), handle == item);
                if (handle == item)
                    together.Add(item);
                else if (_watched.RequestImage(item))
                    _watched.Handles.Wait(handle);
                if (!_handles.TryAdd(name, [handle]))
                    _handles[name].Add(handle);
            }

            if (together.Count > 1 && random.Next(2) == 0)
                _watched.WatchTogether([.. together]);
            else
                together.ForEach(_watched.Watch);
        }

        private void Release()
        {
            (string name, List<int> wanting) = _handles.ElementAt(random.Next(_handles.Count));
            int handle = wanting[random.Next(wanting.Count)];
            int item = _watched.Handles.ItemOf(handle);
            int stream = _watched.IsOpen(item) ? _watched.StreamIdOf(item) : 0;
            _watched.Handles.Release(handle);
            wanting.Remove(handle);
            Assert.Equal(wanting.Count == 0, _watched.Handles.TryDequeueUnwanted(out int unwanted));
            if (wanting.Count > 0)
                return;
            Assert.Equal(item, unwanted);
            _handles.Remove(name);
            _watched.Remove(item);
            if (stream != 0)
                _closesDue.Add(stream);
        }

        private void Close()
        {
            (string name, List<int> wanting) = _handles.ElementAt(random.Next(_handles.Count));
            int item = _watched.Handles.ItemOf(wanting[0]);
            _watched.Close(item);
            _watched.Handles.Forget(item);
            if (name.Contains('/', StringComparison.Ordinal))
                return; // another handle
            _handles.Remove(name);
            _handles.Add($"{name}/{_closed++}", wanting);
        }

        private void SendPendingRequests()
        {
            if (_watched.TryPeekClose(out int close, out _))
            {
                Assert.True(_closesDue.Remove(close));
                _watched.DequeueClose();
            }

            if (_watched.TryPeekReissue(out int item))
            {
                Assert.True(_watched.IsOpen(item));
                _watched.DequeueReissue();
            }

            if (!_watched.TryPeekBatch(out int stream, out int count))
                return;
            for (int at = stream; at <= stream + count; at++)
                Assert.True(_streamsUsed.Add(at));
            _watched.DequeueBatch();
        }

        private bool TryPick(out int item)
        {
            item = _handles.Count == 0 ? -1 : _watched.Handles.ItemOf(_handles.ElementAt(random.Next(_handles.Count)).Value[0]);
            return item >= 0;
        }
    }
}
