using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace TransportPerf;

internal sealed partial class TransportWorker
{
    private const long DrainNanos = 3 * Clock.NanosPerSecond;

    private readonly List<RsslChannel> _gone = [];
    private long _finishByNanos;

    private void RemoveGone()
    {
        foreach (RsslChannel channel in _gone)
        {
            if (channel.Tag is Peer peer)
                Retire(peer);
            else
                _connector?.NoteFailure(channel.Closed!, Clock.NowNanos);
            Poller.Remove(channel);
            Volatile.Write(ref _goneSoFar, _goneSoFar + 1);
        }
        _gone.Clear();
    }

    private void Retire(Peer peer)
    {
        long nowNanos = Clock.NowNanos;
        peer.DropBurst(forLackOfBuffers: false);
        peer.NeverWritten += peer.Reflection.Count;
        _retired += peer.Count(isOver: true);
        _peers.Remove(peer);
        if (!_finishing)
            LastConnectedNanos = nowNanos;
        Ends.Enqueue(new(peer.Channel.Closed!, peer.Violation, peer.LostMessages, peer.IsProven(nowNanos)));
        Volatile.Write(ref _activeNow, _peers.Count);
    }

    private void BeginFinish(long nowNanos)
    {
        _finishing = true;
        _finishByNanos = nowNanos + DrainNanos;
        _beforeDrain = CountNow();
        if (_peers.Count > 0)
            LastConnectedNanos = nowNanos;
        foreach (Peer peer in _peers)
        {
            peer.DropBurst(forLackOfBuffers: false);
            peer.Channel.FinishSending();
        }
    }

    private void Cut(Peer peer)
    {
        CutAtEnd = "the peer did not end its stream within 3 s";
        peer.Channel.Close();
        _retired += peer.Count(isOver: true);
    }
}
