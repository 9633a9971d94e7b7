namespace PerfTools.Results;

/// <summary>The retrieval of all images, from the first request to the last image.</summary>
internal sealed record ImageFigures(long Count, double Seconds);
