using System.Collections;
using System.Net;
using PerfCommon.Measurement;

namespace PerfCommon.Transport;

/// <content>Serves the channels of the poller.</content>
public sealed partial class ChannelPoller
{
    /// <summary>One channel in the poller, and the driver of that channel.</summary>
    private sealed class Slot : WaitSlot, IChannelDriver
    {
        private readonly ChannelPoller _poller;

        public Slot(ChannelPoller poller, ChannelOptions options, AcceptedConnection? accepted = null)
        {
            _poller = poller;
            Channel = new RsslChannel(this, options, accepted);
        }

        public RsslChannel Channel { get; }

        /// <summary>True while the channel is in <see cref="Ready"/>.</summary>
        public bool IsListed { get; set; }

        /// <summary>Its index in <see cref="Ready"/>, while it is there.</summary>
        public int ReadyPlace { get; set; }

        /// <summary>Its index in <see cref="Channels"/>; -1 for none.</summary>
        public int Place { get; set; } = -1;

        public TimeSource Time => _poller.Time;

        public BufferPool Pool => _poller._pool;

        public Task<IPAddress[]> ResolveAsync(string host) => _poller._network.ResolveAsync(host);

        public NetworkLink Connect(IPAddress address, ConnectOptions options)
        {
            NetworkLink link = _poller._network.Connect(address, options);
            _poller.Attach(this, link);
            return link;
        }

        public void Detach()
        {
            if (Index < 0)
                return;
            _poller._waiter.Remove(this);
            _poller._attached--;
        }

        public void SetInterest(bool reads, bool writes)
        {
            if (Index >= 0)
                _poller._waiter.SetInterest(this, reads, writes);
        }

        public void ScheduleTimer(long atNanos) => _poller.ScheduleTimer(atNanos);

        public void ListReady()
        {
            if (IsListed || Channel.Accepted is { Refusal: not null })
                return;
            IsListed = true;
            ReadyPlace = _poller._ready.Count;
            _poller._ready.Slots.Add(this);
        }

        public void Run(Action<long> work) => _poller.Run(work);
    }

    /// <summary>Slots, exposed as a list of their channels.</summary>
    private sealed class SlotList : IReadOnlyList<RsslChannel>
    {
        public List<Slot> Slots { get; } = [];

        public int Count => Slots.Count;

        public RsslChannel this[int index] => Slots[index].Channel;

        public IEnumerator<RsslChannel> GetEnumerator() => Slots.Select(slot => slot.Channel).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    }

    private void AddChannel(Slot slot)
    {
        slot.Place = _channels.Count;
        _channels.Slots.Add(slot);
    }

    // The last slot is moved to its index, in either list: thousands may be removed at once.
    private void RemoveChannel(Slot slot)
    {
        Slot last = RemoveAt(_channels.Slots, slot.Place);
        last.Place = slot.Place;
        slot.Place = -1;
        if (!slot.IsListed)
            return;
        last = RemoveAt(_ready.Slots, slot.ReadyPlace);
        last.ReadyPlace = slot.ReadyPlace;
        slot.IsListed = false;
    }

    private static Slot RemoveAt(List<Slot> slots, int place)
    {
        Slot last = slots[^1];
        slots[place] = last;
        slots.RemoveAt(slots.Count - 1);
        return last;
    }
}
