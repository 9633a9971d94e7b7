using System.Runtime.InteropServices;

namespace PerfCommon.Measurement;

/// <summary>Positions of a ring's two sides, on cache lines of their own so that neither side invalidates the other's.</summary>
/// <remarks>A type of its own because a type within a generic one cannot have an explicit layout.</remarks>
[StructLayout(LayoutKind.Explicit, Size = 256)]
internal struct RingCursors
{
    /// <summary>Records written; the writer's.</summary>
    [FieldOffset(64)]
    public long Written;

    /// <summary>The reader's position as the writer saw it last; the writer's.</summary>
    [FieldOffset(72)]
    public long ReadSeenByWriter;

    /// <summary>Records dropped; the writer's.</summary>
    [FieldOffset(80)]
    public long Dropped;

    /// <summary>Records read; the reader's.</summary>
    [FieldOffset(192)]
    public long Read;
}
