using System.Diagnostics;

namespace PerfCommon.Transport;

/// <summary>Why a channel ended: one normal event among others, never an exception.</summary>
/// <param name="Kind">What ended it.</param>
/// <param name="Text">A sentence for people; text of the peer in it has its control characters escaped.</param>
/// <param name="Cause">The exception behind it, where there was one.</param>
[DebuggerDisplay("{Kind}: {Text,nq}")]
public sealed record CloseReason(CloseKind Kind, string Text, Exception? Cause = null)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Kind}: {Text}";
}
