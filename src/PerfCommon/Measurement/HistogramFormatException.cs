namespace PerfCommon.Measurement;

/// <summary>Bytes or text that claim to be a histogram, or a log of histograms, and are none.</summary>
/// <param name="message">What was found and what was expected.</param>
/// <param name="line">The line of a log, from 1; null where there are no lines.</param>
/// <param name="cause">What failed below; null for nothing.</param>
internal sealed class HistogramFormatException(string message, int? line = null, Exception? cause = null) : Exception(message, cause)
{
    /// <summary>The line of a log, from 1; null where there are no lines.</summary>
    public int? Line => line;
}
