using PerfCommon.Measurement;
using PerfTools.Machine;
using PerfTools.Results.Documents;

namespace PerfTools.Ranks;

/// <summary>
/// Compares the wall clock of this rank with that of rank 0 at the rendezvous: rank 0 writes its time in answer to a small file of each rank, or
/// has it in every answer of its port. The best of several exchanges counts.
/// </summary>
/// <param name="meeting">The rendezvous.</param>
/// <param name="time">The clock of this rank.</param>
/// <param name="readState">Reads how the system corrects it; null for that of this system.</param>
internal sealed class RankClocks(Rendezvous meeting, TimeProvider time, Func<WallClockState?>? readState = null)
{
    private const int Rounds = 5;

    // From the first answer: rank 0 may have been busy before.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(2);

    private readonly Dictionary<int, int> _answered = [];
    private WallClockReading? _best = meeting.Own.Rank == 0 ? WallClockReading.Own : null;
    private (int Number, DateTime Utc, long At) _asked;
    private long? _firstAnswerAt;

    /// <summary>The clock of this rank, as far as it is known, and how the system corrects it now.</summary>
    public RankClock Own
    {
        get
        {
            WallClockReading? reading = meeting.FindClockReading() is { } other ? WallClockReading.Better(_best, other) : _best;
            WallClockState? state = (readState ?? ClockDiscipline.Read)();
            WallClockOrigin origin = WallClockOrigin.Read(() => Clock.NowNanos, () => time.GetUtcNow().UtcDateTime);
            return new()
            {
                Rank = meeting.Own.Rank,
                OffsetMicros = reading?.Offset.TotalMicroseconds,
                ErrorMicros = reading?.Error.TotalMicroseconds,
                Synchronized = state?.IsSynchronized,
                MaxErrorMicros = state?.MaxErrorMicros,
                EstimatedErrorMicros = state?.EstimatedErrorMicros,
                HardwareClocks = OperatingSystem.IsLinux() ? SystemHardware.OfThis.PtpClocks : null,
                ZeroUnixMicros = origin.UnixMicros,
                ZeroErrorMicros = origin.ErrorMicros,
            };
        }
    }

    /// <summary>Asks rank 0, or reads its answer. Called at short intervals.</summary>
    /// <returns>True when no further exchange is needed, or none can be made.</returns>
    public bool Ask()
    {
        if (_best is not null && (_asked.Number > Rounds || time.GetElapsedTime(_firstAnswerAt ?? time.GetTimestamp()) > Limit))
            return true;
        if (meeting.Own.Rank == 0 || meeting.FindClockReading() is not null)
            return true;
        if (!meeting.There.ContainsKey(0))
            return false;
        if (meeting.FindStart() is not null)
            return true; // rank 0 answers no longer
        if (_asked.Number == 0)
            return AskNext();
        if (meeting.FindTime() is not { } told || told.Number != _asked.Number)
            return false;
        _best = WallClockReading.Better(_best, WallClockReading.Of(_asked.Utc, time.GetElapsedTime(_asked.At), told.Utc));
        _firstAnswerAt ??= time.GetTimestamp();
        return AskNext();
    }

    /// <summary>Answers, on rank 0, the other ranks that have asked since. Called at short intervals.</summary>
    public void Answer()
    {
        foreach (int rank in meeting.There.Keys.Where(rank => rank != meeting.Own.Rank && _answered.GetValueOrDefault(rank) < Rounds))
        {
            if (meeting.FindQuestion(rank) is not { } number || _answered.GetValueOrDefault(rank) == number)
                continue;
            _answered[rank] = number;
            meeting.PublishTime(rank, new(number, time.GetUtcNow().UtcDateTime));
        }
    }

    private bool AskNext()
    {
        int number = _asked.Number + 1;
        _asked = (number, time.GetUtcNow().UtcDateTime, time.GetTimestamp());
        if (number <= Rounds)
            meeting.PublishQuestion(number);
        return number > Rounds;
    }
}
