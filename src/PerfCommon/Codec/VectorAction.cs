namespace PerfCommon.Codec;

/// <summary>Action of a vector entry.</summary>
internal enum VectorAction : byte
{
    /// <summary>Changes the entry.</summary>
    Update = 1,

    /// <summary>Replaces the entry.</summary>
    Set = 2,

    /// <summary>Empties the entry; no payload.</summary>
    Clear = 3,

    /// <summary>Inserts before the index.</summary>
    Insert = 4,

    /// <summary>Removes the entry; no payload.</summary>
    Delete = 5,
}
