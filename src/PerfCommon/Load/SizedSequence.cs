namespace PerfCommon.Load;

/// <summary>Checks the sequence of one item's counted updates (<see cref="SizedMessages"/>): which are missing, late, or repeated.</summary>
/// <remarks>
/// Each of the last 32 counts is tracked separately; an older one counts as out of order without further distinction. An example: 1 2 5 4 4 6
/// are two skipped (3, 4), one late (4), one repeated (4).
/// </remarks>
public struct SizedSequence
{
    private const int Window = 32;
    private const int Range = SizedMessages.MaxCount - SizedMessages.MinCount + 1;

    private const int Uncounted = -1;

    private int _last; // 0 before the image
    private uint _missing; // bit i: the count i below the last was skipped, and has not arrived

    /// <summary>True once the item had an image.</summary>
    public readonly bool HasBegun => _last != 0;

    /// <summary>True when the updates of the item are counted.</summary>
    public readonly bool IsCounted => _last > 0;

    /// <summary>Starts with an image.</summary>
    /// <param name="count">Count of the last update in it; <see cref="SizedCount.None"/> for an item without counts.</param>
    public void Begin(int count) => (_last, _missing) = (count == SizedCount.None ? Uncounted : count, 0);

    /// <summary>Checks an update of an item that is counted.</summary>
    /// <param name="count">Its count.</param>
    /// <param name="skipped">Number of skipped counts; 0 unless the result is <see cref="SequenceStep.Skipped"/>.</param>
    public SequenceStep Receive(int count, out int skipped)
    {
        skipped = 0;
        int ahead = count - _last;
        if (ahead == 1)
        {
            (_last, _missing) = (count, _missing << 1);
            return SequenceStep.Next;
        }

        if (count < SizedMessages.MinCount)
            return SequenceStep.FarBack; // no count at all
        ahead = (ahead + Range) % Range; // counts restart after the maximum
        return ahead is > 0 and < Range / 2 ? Skip(count, ahead, out skipped) : Return(ahead == 0 ? 0 : Range - ahead);
    }

    private SequenceStep Skip(int count, int ahead, out int skipped)
    {
        _last = count;
        skipped = ahead - 1;
        uint passed = ahead >= Window ? uint.MaxValue - 1 : (1u << ahead) - 2;
        _missing = (ahead >= Window ? 0 : _missing << ahead) | passed;
        return skipped == 0 ? SequenceStep.Next : SequenceStep.Skipped;
    }

    private SequenceStep Return(int back)
    {
        if (back >= Window)
            return SequenceStep.FarBack;
        uint bit = 1u << back;
        if ((_missing & bit) == 0)
            return SequenceStep.Repeated;
        _missing &= ~bit;
        return SequenceStep.Late;
    }
}

/// <summary>Position of an update relative to those before it.</summary>
public enum SequenceStep
{
    /// <summary>It follows the one before.</summary>
    Next,

    /// <summary>Counts before it are missing.</summary>
    Skipped,

    /// <summary>It was skipped before.</summary>
    Late,

    /// <summary>It has arrived already, or is part of the image.</summary>
    Repeated,

    /// <summary>Its count is none, or long before the last: late or repeated, which is unknown.</summary>
    FarBack,
}
