namespace PerfTools.Hosting.Reporting;

/// <summary>The collection that an interval report belongs to.</summary>
/// <param name="Second">Whole seconds since the run started; the number at the start of console lines.</param>
/// <param name="Utc">Wall time of the collection.</param>
/// <param name="Seconds">Length of the interval in seconds; rates are divided by it.</param>
/// <param name="Thread">Number of the worker, from 1; 0 for all workers together.</param>
/// <param name="Threads">Number of workers; with one, outputs do not distinguish threads.</param>
internal readonly record struct CollectionInfo(int Second, DateTime Utc, double Seconds, int Thread, int Threads);
