using PerfTools.Hosting.Running;

namespace PerfTools.Results;

/// <summary>Why a run is worth nothing: what to exit with, and one sentence.</summary>
internal sealed record RunFailure(ExitCode Code, string Reason);
