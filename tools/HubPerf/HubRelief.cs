using PerfCommon.Measurement;
using PerfHub;
using PerfHub.Memory;
using PerfTools.Hosting.Running;

namespace HubPerf;

/// <summary>
/// Frees memory when the hub's limit is nearly reached: discards the images without watchers, then closes the connection that uses the most memory,
/// and the next one, until there is enough. The other connections go on.
/// </summary>
/// <remarks>Main thread only. An only connection is never closed: no others would profit from its memory.</remarks>
/// <param name="memory">The memory state that the threads watch.</param>
/// <param name="threads">The threads.</param>
/// <param name="answerLimit">How long the threads have to report their largest connection.</param>
internal sealed class HubRelief(HubMemory memory, HubThreads threads, TimeSpan answerLimit) : IMemoryRelief
{
    private const long PatienceNanos = 2 * Clock.NanosPerSecond; // until a closed connection's memory is freed
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
            return true; // images without watchers are discarded first
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
