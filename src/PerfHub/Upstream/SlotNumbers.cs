using System.Numerics;

namespace PerfHub.Upstream;

/// <summary>
/// Reserves numbers for objects that are added and removed, the lowest free one first: used numbers stay together, and the rest is freed.
/// </summary>
/// <remarks>Take and return cost the same for any count, except for one bit per 64 segments. One owner thread.</remarks>
internal sealed class SlotNumbers
{
    /// <summary>Numbers of one segment.</summary>
    public const int SegmentLength = 1 << SegmentShift;

    /// <summary>Shift from a number to that of its segment.</summary>
    public const int SegmentShift = 8;

    private const int WordBits = 64;
    private const int Words = SegmentLength / WordBits;

    private ulong[] _free = []; // a bit for each number
    private short[] _freeCounts = []; // of each segment
    private ulong[] _withFree = [0]; // a bit for each segment
    private int _segments;
    private int _firstWord; // of those bits: none before it is set

    /// <summary>Numbers up to the last segment that has one in use.</summary>
    public int Capacity => _segments << SegmentShift;

    /// <summary>Reserves the lowest free number.</summary>
    /// <param name="isFirst">True when no other number of its segment is in use.</param>
    public int Allocate(out bool isFirst)
    {
        while (_firstWord < _withFree.Length && _withFree[_firstWord] == 0)
            _firstWord++;
        if (_firstWord == _withFree.Length || FirstSegment() >= _segments)
            AddSegment();
        int segment = FirstSegment();
        isFirst = _freeCounts[segment] == SegmentLength;
        int word = segment * Words;
        while (_free[word] == 0)
            word++;
        int bit = BitOperations.TrailingZeroCount(_free[word]);
        _free[word] &= _free[word] - 1;
        if (--_freeCounts[segment] == 0)
            _withFree[segment / WordBits] &= ~(1UL << (segment % WordBits));
        return (word * WordBits) + bit;
    }

    /// <summary>Returns a number.</summary>
    /// <returns>True when no number of its segment is in use any more.</returns>
    public bool Return(int number)
    {
        int segment = number >> SegmentShift;
        _free[number / WordBits] |= 1UL << (number % WordBits);
        _withFree[segment / WordBits] |= 1UL << (segment % WordBits);
        _firstWord = Math.Min(_firstWord, segment / WordBits);
        if (++_freeCounts[segment] < SegmentLength)
            return false;
        while (_segments > 0 && _freeCounts[_segments - 1] == SegmentLength)
            RemoveLast();
        return true;
    }

    private int FirstSegment() => (_firstWord * WordBits) + BitOperations.TrailingZeroCount(_withFree[_firstWord]);

    private void AddSegment()
    {
        int segment = _segments++;
        if (segment == _freeCounts.Length)
        {
            int length = Math.Max(2 * segment, 4);
            Array.Resize(ref _free, length * Words);
            Array.Resize(ref _freeCounts, length);
            Array.Resize(ref _withFree, (length + WordBits - 1) / WordBits);
        }

        _free.AsSpan(segment * Words, Words).Fill(ulong.MaxValue);
        _freeCounts[segment] = SegmentLength;
        _withFree[segment / WordBits] |= 1UL << (segment % WordBits);
        _firstWord = Math.Min(_firstWord, segment / WordBits);
    }

    private void RemoveLast()
    {
        int segment = --_segments;
        _withFree[segment / WordBits] &= ~(1UL << (segment % WordBits));
    }
}

/// <summary>
/// Values by the numbers of <see cref="SlotNumbers"/>, in arrays that do not move, and are freed when none of their values is in use.
/// </summary>
/// <remarks>In a segment that is not open every value is the default, and none may be set. One owner thread.</remarks>
/// <typeparam name="T">The type of the values.</typeparam>
internal sealed class SlotSegments<T>
{
    private const int Mask = SlotNumbers.SegmentLength - 1;

    private static readonly Slot[] Closed = new Slot[SlotNumbers.SegmentLength];

    private Slot[][] _segments = [Closed, Closed, Closed, Closed];
    private Slot[]? _spare; // so that a single value, added and removed again and again, makes no garbage

    /// <summary>The value of a number below <see cref="Capacity"/>.</summary>
    public ref T this[int number] => ref _segments[number >> SlotNumbers.SegmentShift][number & Mask].Value;

    /// <summary>The limit of the numbers that may be read.</summary>
    public int Capacity => _segments.Length << SlotNumbers.SegmentShift;

    /// <summary>True when values of this number's segment may be set.</summary>
    public bool IsOpen(int number) => number < Capacity && _segments[number >> SlotNumbers.SegmentShift] != Closed;

    /// <summary>Opens the segment of a number, which is not open.</summary>
    public void Open(int number)
    {
        int segment = number >> SlotNumbers.SegmentShift;
        if (segment >= _segments.Length)
        {
            int before = _segments.Length;
            Array.Resize(ref _segments, Math.Max(segment + 1, 2 * before));
            _segments.AsSpan(before).Fill(Closed);
        }

        _segments[segment] = _spare ?? new Slot[SlotNumbers.SegmentLength];
        _spare = null;
    }

    /// <summary>Frees the segment of a number; all of its values are the default.</summary>
    public void Close(int number)
    {
        ref Slot[] segment = ref _segments[number >> SlotNumbers.SegmentShift];
        _spare = segment;
        segment = Closed;
    }

    // A reference to an element of an object array is checked for the array's type each time; one into a struct is not.
    private struct Slot
    {
        public T Value;
    }
}
