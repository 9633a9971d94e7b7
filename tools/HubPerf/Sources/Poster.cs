using HubPerf.Rings;

namespace HubPerf.Sources;

/// <summary>The stream of a consumer that a post came on.</summary>
/// <param name="SessionHost">Number of its session thread.</param>
/// <param name="Address">The stream there.</param>
/// <param name="Slot">Slot of the item.</param>
internal readonly record struct Poster(int SessionHost, StreamAddress Address, int Slot);
