namespace PerfCommon.MsgData;

#pragma warning disable CA1711 // these are flags, and every item has a set of them
/// <summary>What an item of the list is used for besides its updates.</summary>
[Flags]
public enum ItemFlags : byte
{
    /// <summary>Only updates.</summary>
    None = 0,

    /// <summary>The consumer may post to it.</summary>
    Post = 1,

    /// <summary>Generic messages go over its stream.</summary>
    GenMsg = 2,

    /// <summary>It is asked for once, without updates to follow.</summary>
    Snapshot = 4,
}
#pragma warning restore CA1711
