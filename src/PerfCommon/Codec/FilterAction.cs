namespace PerfCommon.Codec;

/// <summary>Action of a filter list entry.</summary>
internal enum FilterAction : byte
{
    /// <summary>Changes the entry.</summary>
    Update = 1,

    /// <summary>Adds or replaces the entry.</summary>
    Set = 2,

    /// <summary>Empties the entry; no payload.</summary>
    Clear = 3,
}
