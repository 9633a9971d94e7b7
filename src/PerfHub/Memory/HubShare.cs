namespace PerfHub.Memory;

/// <summary>The connection of a thread for which most is kept.</summary>
/// <param name="Bytes">What that is, about.</param>
/// <param name="Connections">All connections of the thread.</param>
/// <param name="Close">Closes it; null for none. Any thread.</param>
internal readonly record struct HubShare(long Bytes, int Connections, Action<long>? Close);
