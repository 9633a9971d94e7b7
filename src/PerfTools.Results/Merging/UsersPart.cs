using PerfCommon.Measurement;
using PerfTools.Results.Files;

namespace PerfTools.Results.Merging;

/// <summary>What one process with users has measured.</summary>
/// <param name="Periods">The line of each period.</param>
/// <param name="Samples">Their samples in the same order; fewer where the log was cut.</param>
/// <param name="IsWhole">False when the process did not come to its end.</param>
internal sealed record UsersPart(IReadOnlyList<JsonView> Periods, IReadOnlyList<LongHistogram> Samples, bool IsWhole);
