using System.Numerics;

namespace PerfCommon.Sessions;

/// <summary>Values by number, in arrays that stay where they are: growing copies nothing and leaves nothing behind.</summary>
/// <remarks>Only while they are few the first array grows, so that few take little. One owner.</remarks>
/// <typeparam name="T">What is kept.</typeparam>
/// <param name="empty">What stands where nothing was written.</param>
internal sealed class Segments<T>(T? empty = default)
{
    /// <summary>Values of one array, a power of two: a range that does not cross a multiple of it lies in one piece.</summary>
    public const int SegmentLength = 1 << Shift;

    private const int Shift = 12;
    private const int MinLength = 16;

    private T?[][] _segments = [[]];

    /// <summary>Values there is room for.</summary>
    public int Capacity { get; private set; }

    /// <summary>A value below <see cref="Capacity"/>.</summary>
    public ref T? this[int index] => ref _segments[index >> Shift][index & (SegmentLength - 1)];

    /// <summary>Some that lie in one segment; valid until the next <see cref="Reserve"/>.</summary>
    public Span<T?> Slice(int start, int length) => _segments[start >> Shift].AsSpan(start & (SegmentLength - 1), length);

    /// <summary>Makes room for a number of values.</summary>
    public void Reserve(int count)
    {
        if (Capacity < Math.Min(count, SegmentLength))
            GrowFirst(Math.Min(count, SegmentLength));
        while (Capacity < count)
            AddSegment();
    }

    /// <summary>Gives back what is not needed for a number of values; those behind it are lost.</summary>
    public void Trim(int count)
    {
        while (Capacity - SegmentLength >= Math.Max(count, SegmentLength))
        {
            Capacity -= SegmentLength;
            _segments[Capacity >> Shift] = [];
        }

        if (_segments.Length > MinLength && Capacity >> Shift < _segments.Length / 4)
            Array.Resize(ref _segments, Math.Max(1, 2 * (Capacity >> Shift)));
    }

    private void GrowFirst(int count)
    {
        int length = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(count, MinLength));
        Array.Resize(ref _segments[0], length);
        _segments[0].AsSpan(Capacity).Fill(empty);
        Capacity = length;
    }

    private void AddSegment()
    {
        int number = Capacity >> Shift;
        if (number == _segments.Length)
            Array.Resize(ref _segments, 2 * number);
        T?[] segment = new T?[SegmentLength];
        segment.AsSpan().Fill(empty);
        _segments[number] = segment;
        Capacity += SegmentLength;
    }
}
