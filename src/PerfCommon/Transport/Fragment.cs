namespace PerfCommon.Transport;

/// <summary>What the extended header of a frame says.</summary>
/// <param name="Kind"><see cref="FrameLayout.FirstFragment"/>, <see cref="FrameLayout.ContinuationFragment"/>, or 0 for no fragment.</param>
/// <param name="Id">Which message it belongs to.</param>
/// <param name="TotalBytes">Length of the whole message; first fragments only.</param>
internal readonly record struct Fragment(int Kind, int Id, uint TotalBytes);
