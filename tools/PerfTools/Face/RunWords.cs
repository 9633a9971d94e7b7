namespace PerfTools.Face;

/// <summary>What the people of a scenario call things.</summary>
/// <param name="Server">The role that listens.</param>
/// <param name="Client">The role that connects.</param>
/// <param name="RateUnit">Short form of messages a second.</param>
internal sealed record RunWords(string Server, string Client, string RateUnit);
