using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What stream states mean for the stream.</summary>
internal static class StreamStateExtensions
{
    /// <summary>True when nothing more will come on the stream.</summary>
    /// <param name="state">Stream state of a refresh or status.</param>
    public static bool IsFinal(this StreamState state) =>
        state is StreamState.Closed or StreamState.ClosedRecover or StreamState.Redirected;
}
