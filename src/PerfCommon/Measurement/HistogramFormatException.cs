namespace PerfCommon.Measurement;

/// <summary>Reports bytes or text that should be a histogram, or a log of histograms, and are not.</summary>
/// <param name="message">The input that was found and the input that was expected.</param>
/// <param name="line">The line of a log, from 1; null where there are no lines.</param>
/// <param name="cause">The underlying error; null for none.</param>
internal sealed class HistogramFormatException(string message, int? line = null, Exception? cause = null) : Exception(message, cause)
{
    /// <summary>The line of a log, from 1; null where there are no lines.</summary>
    public int? Line => line;
}
