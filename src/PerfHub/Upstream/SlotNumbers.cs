using System.Numerics;

namespace PerfHub.Upstream;

/// <summary>Numbers for what comes and goes, the lowest free one first: what is used stands together, and the rest is given back.</summary>
/// <remarks>Taking and returning cost the same however many there are, but for a look at one bit of each 64 segments. One owner thread.</remarks>
internal sealed class SlotNumbers
{
    /// <summary>Numbers of one segment.</summary>
    public const int SegmentLength = 1 << SegmentShift;

    /// <summary>From a number to that of its segment.</summary>
    public const int SegmentShift = 8;

    private const int WordBits = 64;
    private const int Words = SegmentLength / WordBits;

    private ulong[] _free = []; // a bit for each number
    private short[] _freeCounts = []; // of each segment
    private ulong[] _withFree = [0]; // a bit for each segment
    private int _segments;
    private int _firstWord; // of those bits: none before it is set

    /// <summary>Numbers up to the last segment of which one is in use.</summary>
    public int Capacity => _segments << SegmentShift;

    /// <summary>Takes the lowest free number.</summary>
    /// <param name="isFirst">True when no other of its segment is in use.</param>
    public int Take(out bool isFirst)
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

    /// <summary>Gives a number back.</summary>
    /// <returns>True when none of its segment is in use any more.</returns>
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

/// <summary>Values by the numbers of <see cref="SlotNumbers"/>, in arrays that stay where they are, and are given back when none is in
/// use.</summary>
/// <remarks>Of a segment that is not open every value is the default, and none may be set. One owner thread.</remarks>
/// <typeparam name="T">What is kept.</typeparam>
internal sealed class SlotSegments<T>
{
    private const int Mask = SlotNumbers.SegmentLength - 1;

    private static readonly Slot[] Closed = new Slot[SlotNumbers.SegmentLength];

    private Slot[][] _segments = [Closed, Closed, Closed, Closed];
    private Slot[]? _spare; // so that one value that comes and goes makes no garbage

    /// <summary>A value; its number is below <see cref="Capacity"/>.</summary>
    public ref T this[int number] => ref _segments[number >> SlotNumbers.SegmentShift][number & Mask].Value;

    /// <summary>Numbers that may be asked for.</summary>
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

    /// <summary>Gives the segment of a number back; all of its values are the default.</summary>
    public void Close(int number)
    {
        ref Slot[] segment = ref _segments[number >> SlotNumbers.SegmentShift];
        _spare = segment;
        segment = Closed;
    }

    // A reference to an element of an array of objects is checked for the type of the array each time; one into a struct is not.
    private struct Slot
    {
        public T Value;
    }
}
