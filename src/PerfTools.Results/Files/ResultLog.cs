using PerfCommon;
using PerfCommon.Measurement;

namespace PerfTools.Results.Files;

/// <summary>Reads histogram logs that a run has left, to their last complete line.</summary>
internal static class ResultLog
{
    private const int MaxCells = 16 * 1024 * 1024;
    private const long MaxSamples = 1_000_000_000_000_000; // small enough that many logs can be added up

    /// <summary>Reads a log, one interval per step of the enumeration; none where there is no such file.</summary>
    /// <param name="path">The file.</param>
    /// <param name="keepsOne">True to fill one histogram again and again: each interval's is valid until the next step.</param>
    /// <exception cref="SetupException">It cannot be read, or a line does not belong to a log (exit code 3).</exception>
    public static IEnumerable<HistogramLogInterval> Read(string path, bool keepsOne = false)
    {
        if (!ResultFile.IsThere(path))
            yield break;
        using Stream file = ResultFile.Open(path);
        HistogramLogReader reader = new(keepsOne: keepsOne, maxCells: MaxCells);
        using IEnumerator<HistogramLogInterval> intervals = reader.Read(ResultFile.WholeLinesOf(file)).GetEnumerator();
        while (TryMove(intervals, path))
            yield return intervals.Current;
    }

    /// <summary>Combines the histograms in folders: where they are incompatible, the exception names the folders.</summary>
    /// <exception cref="SetupException">They are incompatible (exit code 3).</exception>
    public static T Combine<T>(IEnumerable<string> folders, Func<T> make)
    {
        try
        {
            return make();
        }
        catch (HistogramException cause)
        {
            throw FileErrors.Input(string.Join(", ", folders), $"histograms that do not fit together: {cause.Message}", cause);
        }
    }

    private static bool TryMove(IEnumerator<HistogramLogInterval> intervals, string path)
    {
        try
        {
            if (!intervals.MoveNext())
                return false;
        }
        catch (Exception cause) when (cause is HistogramFormatException or IOException)
        {
            throw FileErrors.Input(path, cause.Message, cause);
        }

        return intervals.Current.Histogram.TotalCount <= MaxSamples
            ? true : throw ResultFile.Malformed(path, intervals.Current.Line, "more samples than there can be");
    }
}
