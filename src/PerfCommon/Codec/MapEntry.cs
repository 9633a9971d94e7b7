using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>One entry of a map.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action}, key of {Key.Length} bytes, {Content.Length} bytes")]
public ref struct MapEntry
{
    /// <summary>Bits of <see cref="EntryFlags"/>.</summary>
    internal byte Flags { get; set; }

    /// <summary>What to do; unknown actions are no error and have a payload.</summary>
    public MapAction Action { get; set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>Content of the key, of the key type of the map.</summary>
    public ReadOnlySpan<byte> Key { get; set; }

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; set; }
}
