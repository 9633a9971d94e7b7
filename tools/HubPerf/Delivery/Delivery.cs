using PerfCommon.Workers;

namespace HubPerf.Delivery;

/// <summary>A message that one stream gets: where its bytes lie, and what is changed in them.</summary>
/// <param name="At">Where it begins in the array.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="StreamId">The stream that it goes to.</param>
/// <param name="Kind">As what it is counted.</param>
/// <param name="IsAnswer">True for a refresh that somebody waits for.</param>
internal readonly record struct Delivery(int At, int Length, int StreamId, MessageKind Kind, bool IsAnswer);
