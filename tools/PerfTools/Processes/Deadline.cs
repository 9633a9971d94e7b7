using System.Diagnostics;

namespace PerfTools.Processes;

/// <summary>A wait that ends.</summary>
internal readonly struct Deadline(TimeSpan limit)
{
    private readonly long _start = Stopwatch.GetTimestamp();

    /// <summary>True when the time is over.</summary>
    public bool HasPassed => Stopwatch.GetElapsedTime(_start) >= limit;

    /// <summary>The next piece of the wait: one step, or less near the end.</summary>
    public TimeSpan Next(TimeSpan step)
    {
        TimeSpan left = limit - Stopwatch.GetElapsedTime(_start);
        return left < TimeSpan.Zero ? TimeSpan.Zero : left < step ? left : step;
    }
}
