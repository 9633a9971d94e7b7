using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>Any sequence of requests, images, losses, closes and new connections leaves the watchlist as in a simple model.</summary>
public class WatchedItemsTests
{
    private const int Seeds = 1_000;
    private const int Steps = 200;

    [Fact]
    public void AnySequence_LeavesWhatTheModelSays()
    {
        for (int seed = 0; seed < Seeds; seed++)
            Run(seed);
    }

    // Two seconds of a provider that ends each stream 10 ms after its image: requested at once, then after 0.1, 0.2, 0.4, 0.8 s.
    [Fact]
    public void LostSoonAfterEachImage_WaitsTwiceAsLongEachTime()
    {
        const long Millis = 1_000_000;
        WatchedItems watched = new(1, firstRetryNanos: 100 * Millis, maxRetryNanos: 1_000 * Millis);
        watched.Begin(0);
        int asked = 0;
        for (long now = 0; now < 2_000 * Millis; now += 10 * Millis)
        {
            watched.Retry(now);
            if (watched.IsOpen(0))
                watched.RecordLoss(0, now);
            if (!watched.HasRequests)
                continue;
            watched.DequeueNext();
            watched.RecordImage(0);
            asked++;
        }

        Assert.Equal(6, asked);
    }

    [Fact]
    public void LostLongAfterItsImage_IsAskedForAtOnce()
    {
        WatchedItems watched = new(1, firstRetryNanos: 100, maxRetryNanos: 1_000);
        watched.Begin(0);
        for (long now = 0; now < 10_000; now += 100)
        {
            watched.DequeueNext();
            watched.RecordImage(0);
            watched.RecordLoss(0, now);
            Assert.True(watched.HasRequests, $"at {now}");
        }
    }

    // Wanted again with other fields: on its stream, once, and not where a request with them is still to be sent.
    [Fact]
    public void RequestAnew_ByItsStage_IsSentOnceForAnItemThatWasRequested()
    {
        WatchedItems watched = new(3, firstRetryNanos: 100, maxRetryNanos: 1_000);
        watched.Begin(0);
        watched.RequestAnew(0); // its request waits
        watched.RequestAnew(7); // no such item
        Assert.False(watched.TryPeekReissue(out _));
        int[] requested = [watched.DequeueNext(), watched.DequeueNext(), watched.DequeueNext()];
        Assert.Equal([0, 1, 2], requested);
        watched.Close(2);
        foreach (int item in (int[])[1, 0, 1, 2])
            watched.RequestAnew(item);
        Assert.True(watched.HasPendingRequests);
        List<int> again = [];
        while (watched.TryPeekReissue(out int item))
        {
            again.Add(item);
            watched.DequeueReissue();
        }

        Assert.Equal([1, 0], again);
        watched.RequestAnew(1);
        Assert.True(watched.TryPeekReissue(out int later));
        Assert.Equal(1, later);
        watched.RecordLoss(1, 0);
        Assert.False(watched.TryPeekReissue(out _)); // its stream has ended
    }

    private static void Run(int seed)
    {
        Random random = new(seed);
        Model model = new(random.Next(1, 12));
        for (int step = 0; step < Steps; step++)
        {
            model.Step(random);
            model.Check($"seed {seed}, step {step}");
        }
    }

    // State of each item: subscribed or not, and its stage.
    private sealed class Model
    {
        private const long FirstWaitNanos = Clock.NanosPerSecond / 2;
        private const long MaxWaitNanos = 4 * Clock.NanosPerSecond;

        private readonly List<Place> _places = [];
        private readonly long[] _waitNanos; // of the next loss
        private readonly long[] _askedNanos; // after the last loss
        private readonly WatchedItems _watched;
        private readonly HashSet<int> _streamsUsed = [];
        private readonly HashSet<int> _toClose = [];
        private long _now = Clock.NanosPerSecond;

        public Model(int count)
        {
            _watched = new WatchedItems(count, FirstWaitNanos, MaxWaitNanos);
            (_waitNanos, _askedNanos) = (new long[count], new long[count]);
            _places.AddRange(Enumerable.Repeat(Place.Queued, count));
            _watched.Begin(0);
            NoteStreams();
        }

        private enum Place
        {
            Queued,
            Requested,
            HasImage,
            Waiting,
            Closed,
        }

        public void Step(Random random)
        {
            int item = random.Next(_places.Count);
            switch (random.Next(10))
            {
                case 0 when random.Next(4) == 0: // another connection
                    _watched.Begin(random.Next(3));
                    _streamsUsed.Clear();
                    _toClose.Clear();
                    Change(place => place == Place.Closed ? Place.Closed : Place.Queued);
                    NoteStreams();
                    break;
                case 2 or 3 when _places[item] == Place.Requested:
                    _watched.RecordImage(item);
                    _places[item] = Place.HasImage;
                    break;
                case 4 when _places[item] is Place.Requested or Place.HasImage:
                    _watched.RecordLoss(item, _now);
                    Asked(item, IsPatient(item) ? Place.Queued : Place.Waiting);
                    break;
                case 5 when _places[item] is Place.Requested or Place.HasImage:
                    _toClose.Add(_watched.StreamIdOf(item));
                    _watched.Renew(item);
                    Asked(item, Place.Queued);
                    break;
                case 6 when random.Next(5) == 0:
                    _watched.Close(item);
                    _places[item] = Place.Closed;
                    (_waitNanos[item], _askedNanos[item]) = (0, 0);
                    break;
                case 7:
                    _now += random.Next(1, 3) * FirstWaitNanos;
                    _watched.Retry(_now);
                    for (int i = 0; i < _places.Count; i++)
                        _places[i] = _places[i] == Place.Waiting && _askedNanos[i] <= _now ? Place.Queued : _places[i];
                    NoteStreams();
                    break;
                case 8 when _watched.TryPeekClose(out int stream, out _):
                    Assert.True(_toClose.Remove(stream));
                    _watched.DequeueClose();
                    break;
                default:
                    if (!_watched.HasRequests)
                        break;
                    int next = _watched.DequeueNext();
                    Assert.Equal(Place.Queued, _places[next]);
                    _places[next] = Place.Requested;
                    break;
            }
        }

        public void Check(string where)
        {
            Assert.True(_places.Contains(Place.Queued) == _watched.HasRequests, where);
            Assert.True(!_places.Contains(Place.Waiting) || _watched.NextRetryNanos < long.MaxValue, where);
            Assert.True(_toClose.Count > 0 == _watched.HasCloses, where);
            for (int item = 0; item < _places.Count; item++)
            {
                bool hasStream = _places[item] is Place.Queued or Place.Requested or Place.HasImage;
                Assert.True(hasStream == (_watched.StreamIdOf(item) != 0), where);
                Assert.True(_watched.IsOpen(item) == _places[item] is Place.Requested or Place.HasImage, where);
                if (hasStream)
                    Assert.True(_watched.ItemOf(_watched.StreamIdOf(item) - StreamIds.FirstItem) == item, where);
            }

            int mapped = Enumerable.Range(0, _watched.Streams).Count(stream => _watched.ItemOf(stream) >= 0);
            Assert.True(mapped == _places.Count(place => place is Place.Queued or Place.Requested or Place.HasImage), where);
        }

        // An item that stayed open for at least its next wait is requested at once; others wait, twice as long each time.
        private bool IsPatient(int item)
        {
            bool hadImage = _places[item] == Place.HasImage;
            if (hadImage && _now - _askedNanos[item] >= _waitNanos[item])
                _waitNanos[item] = 0;
            bool isAtOnce = hadImage && _waitNanos[item] == 0;
            long wait = _waitNanos[item] == 0 ? FirstWaitNanos : _waitNanos[item];
            _askedNanos[item] = isAtOnce ? _now : _now + wait;
            _waitNanos[item] = isAtOnce ? wait : Math.Min(wait * 2, MaxWaitNanos);
            return isAtOnce;
        }

        private void Asked(int item, Place place)
        {
            _places[item] = place;
            if (place == Place.Queued)
                NoteStream(item);
        }

        private void Change(Func<Place, Place> change)
        {
            for (int item = 0; item < _places.Count; item++)
                _places[item] = change(_places[item]);
        }

        private void NoteStreams()
        {
            for (int item = 0; item < _places.Count; item++)
            {
                if (_watched.StreamIdOf(item) != 0)
                    _streamsUsed.Add(_watched.StreamIdOf(item));
            }
        }

        // No stream is reused on one connection.
        private void NoteStream(int item) => Assert.True(_streamsUsed.Add(_watched.StreamIdOf(item)));
    }
}
