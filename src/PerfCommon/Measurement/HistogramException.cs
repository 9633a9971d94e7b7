namespace PerfCommon.Measurement;

/// <summary>Two histograms cannot be combined; neither of them was changed.</summary>
/// <param name="message">What was found and what was expected.</param>
internal sealed class HistogramException(string message) : Exception(message);
