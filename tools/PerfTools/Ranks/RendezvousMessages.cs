using PerfTools.Verdicts;

namespace PerfTools.Ranks;

/// <summary>The address of a role.</summary>
/// <param name="Host">Name or address.</param>
/// <param name="Port">The port; a hub's for consumers.</param>
/// <param name="PublishersPort">A hub's port for publishers; 0 for other roles.</param>
/// <param name="Authority">The certificate of the authority that it can be trusted by, as PEM text; null where ranks share its file, or it needs none.</param>
internal sealed record RolePlace(string Host, int Port, int PublishersPort = 0, string? Authority = null);

/// <summary>What rank 0 says at the end of a run that others follow.</summary>
/// <param name="Failure">Why no run follows; null when the next one does.</param>
internal sealed record RendezvousNext(RunFailure? Failure);

/// <summary>The time of rank 0.</summary>
/// <param name="Number">The number of the question.</param>
/// <param name="Utc">The time.</param>
internal sealed record RendezvousTime(int Number, DateTime Utc);

/// <summary>The start of a run.</summary>
/// <param name="Utc">The time of the first log-in.</param>
/// <param name="Domain">The number that separates a round-trip test from others; null for other runs.</param>
internal sealed record RendezvousStart(DateTime Utc, int? Domain = null);
