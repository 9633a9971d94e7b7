namespace PerfCommon.Codec;

/// <summary>Action of a map entry.</summary>
public enum MapAction : byte
{
    /// <summary>Changes the entry.</summary>
    Update = 1,

    /// <summary>Adds or replaces the entry.</summary>
    Add = 2,

    /// <summary>Removes the entry; no payload.</summary>
    Delete = 3,
}
