namespace PerfHub.Memory;

/// <summary>The connection of a thread that uses the most memory.</summary>
/// <param name="Bytes">Approximate bytes that it uses.</param>
/// <param name="Connections">Number of all connections of the thread.</param>
/// <param name="Close">Closes it; null for none. Any thread.</param>
internal readonly record struct HubShare(long Bytes, int Connections, Action<long>? Close);
