using System.Diagnostics;

namespace PerfTools.Editions;

/// <summary>Finds the measured time of another edition's program in the lines that it prints.</summary>
/// <remarks>Lines arrive on the threads that read them.</remarks>
internal sealed class EditionWindow
{
    private const string Images = "mage retrieval time for"; // N images: of one connection, or of all
    private const string Expired = "has expired";
    private long _from;
    private long _to;

    /// <summary>The time of its first statistics with all images, or of its first at all, in ticks of <see cref="Stopwatch"/>; null before.</summary>
    public long? From => Volatile.Read(ref _from) is > 0 and long at ? at : null;

    /// <summary>The end that the program announced; null before.</summary>
    public long? To => Volatile.Read(ref _to) is > 0 and long at ? at : null;

    /// <summary>Receives a line.</summary>
    public void Receive(string line) => Receive(line, Stopwatch.GetTimestamp());

    internal void Receive(string line, long at)
    {
        bool isFirst = _from == 0 && IsStatistics(line);
        if (isFirst || (_to == 0 && line.Contains(Images, StringComparison.Ordinal)))
            Volatile.Write(ref _from, at);
        if (_to == 0 && line.Contains(Expired, StringComparison.Ordinal))
            Volatile.Write(ref _to, at);
    }

    // "005: Images: ..." in some editions, "5: ..." in others
    private static bool IsStatistics(string line)
    {
        int end = line.IndexOf(": ", StringComparison.Ordinal);
        return end > 0 && line[..end].All(char.IsAsciiDigit);
    }
}
