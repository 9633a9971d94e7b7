using PerfCommon.Measurement;
using PerfHub;
using PerfHub.Memory;
using PerfTools.Hosting.Running;

namespace HubPerf;

/// <summary>
/// What a hub does when its memory is nearly used up: images that nobody wants go, then the connection for which most is kept is closed, and
/// the next one, until there is room. The others go on.
/// </summary>
/// <remarks>Main thread only. The only connection is not closed: there are no others for whom it would make room.</remarks>
/// <param name="memory">What the threads look at.</param>
/// <param name="threads">They.</param>
/// <param name="answerLimit">How long they have to say who has most.</param>
internal sealed class HubRelief(HubMemory memory, HubThreads threads, TimeSpan answerLimit) : IMemoryRelief
{
    private const long PatienceNanos = 2 * Clock.NanosPerSecond; // until what a connection had is given back
    private static readonly TimeSpan UsualAnswerLimit = TimeSpan.FromMilliseconds(200);

    private long _waitUntilNanos;
    private bool _isUnderWay;

    public HubRelief(HubMemory memory, HubThreads threads)
        : this(memory, threads, UsualAnswerLimit)
    {
    }

    public bool IsWanted => memory.IsTight && !_isUnderWay;

    public bool TryMakeRoom(long nowNanos)
    {
        memory.Tighten();
        if (!_isUnderWay)
        {
            _isUnderWay = true;
            threads.Wake();
            return true; // what nobody wants goes first
        }

        if (nowNanos < _waitUntilNanos)
            return true;
        IReadOnlyList<HubShare> shares = threads.FindGreatest(answerLimit);
        if (shares.Sum(share => share.Connections) < 2 || shares.MaxBy(share => share.Bytes) is not { Close: { } close } greatest)
            return false;
        _waitUntilNanos = nowNanos + PatienceNanos;
        close(greatest.Bytes);
        return true;
    }

    public void End(bool hasRoom)
    {
        if (!_isUnderWay && !memory.IsTight)
            return;
        _isUnderWay = false;
        if (hasRoom)
            memory.Ease();
        else
            memory.UseRest();
        threads.Wake();
    }
}
