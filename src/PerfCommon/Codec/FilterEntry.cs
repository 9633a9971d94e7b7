using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>One entry of a filter list.</summary>
/// <remarks>Borrows the message.</remarks>
[DebuggerDisplay("{Action} {Id}, {ContainerType} of {Content.Length} bytes")]
internal ref struct FilterEntry
{
    /// <summary>Bits of <see cref="FilterEntryFlags"/>.</summary>
    public byte Flags { get; set; }

    /// <summary>What to do; unknown actions are no error and have a payload.</summary>
    public FilterAction Action { get; set; }

    /// <summary>Id of the filter.</summary>
    public byte Id { get; set; }

    /// <summary>Container type of the payload: the entry's own, or that of the list.</summary>
    public DataType ContainerType { get; set; }

    /// <summary>Permission data; empty when not carried.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>The payload; empty when there is none.</summary>
    public ReadOnlySpan<byte> Content { get; set; }

    /// <summary>True when a payload travels: not for Clear, nor for a container type of no data.</summary>
    public readonly bool HasPayload => Action != FilterAction.Clear && ContainerType != DataType.NoData;
}
