namespace PerfTools.Hosting.Reporting;

/// <summary>Which collection an interval report belongs to.</summary>
/// <param name="Second">Whole seconds since the run started; the number at the start of console lines.</param>
/// <param name="Utc">Wall time of the collection.</param>
/// <param name="Seconds">Length of the interval in seconds; rates are divided by it.</param>
/// <param name="Thread">Number of the worker, from 1; 0 for all workers together.</param>
/// <param name="Threads">Number of workers; with one, nothing is told apart by thread.</param>
internal readonly record struct CollectionInfo(int Second, DateTime Utc, double Seconds, int Thread, int Threads);
