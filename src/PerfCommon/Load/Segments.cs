using System.Numerics;

namespace PerfCommon.Load;

/// <summary>Stores values by number, in arrays that are never moved: growing copies nothing and leaves no old arrays to collect.</summary>
/// <remarks>Only the first array grows while there are few values, so that few need little memory. One owner.</remarks>
/// <typeparam name="T">Type of the values.</typeparam>
/// <param name="empty">Value where nothing was written.</param>
internal sealed class Segments<T>(T? empty = default)
{
    /// <summary>Values of one array, a power of two: a range that does not cross a multiple of it is contiguous.</summary>
    public const int SegmentLength = 1 << Shift;

    private const int Shift = 12;
    private const int MinLength = 16;

    private T?[][] _segments = [[]];

    /// <summary>Number of values that can be stored.</summary>
    public int Capacity { get; private set; }

    /// <summary>Returns a reference to a value below <see cref="Capacity"/>.</summary>
    public ref T? this[int index] => ref _segments[index >> Shift][index & (SegmentLength - 1)];

    /// <summary>Returns values of one segment; valid until the next <see cref="Reserve"/>.</summary>
    public Span<T?> Slice(int start, int length) => _segments[start >> Shift].AsSpan(start & (SegmentLength - 1), length);

    /// <summary>Reserves memory for a number of values.</summary>
    public void Reserve(int count)
    {
        if (Capacity < Math.Min(count, SegmentLength))
            GrowFirst(Math.Min(count, SegmentLength));
        while (Capacity < count)
            AddSegment();
    }

    /// <summary>Releases memory beyond a number of values; values beyond it are lost.</summary>
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
