using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>One entry of a vector.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action} {Index}, {Content.Length} bytes")]
internal ref struct VectorEntry
{
    /// <summary>Bits of <see cref="EntryFlags"/>.</summary>
    public byte Flags { get; set; }

    /// <summary>What to do; unknown actions are no error and have a payload.</summary>
    public VectorAction Action { get; set; }

    /// <summary>Index, at most 2^30 - 1.</summary>
    public int Index { get; set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; set; }

    internal readonly bool HasPayload => Action is not (VectorAction.Clear or VectorAction.Delete);
}
