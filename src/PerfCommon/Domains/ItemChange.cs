namespace PerfCommon.Domains;

/// <summary>What a refresh or status means for the item it is about.</summary>
internal enum ItemChange : byte
{
    /// <summary>Nothing: part of an image, or a status without news.</summary>
    None,

    /// <summary>The item has its image.</summary>
    Image,

    /// <summary>The stream stays and its data are not to be trusted: a temporary image, or a warning.</summary>
    Suspect,

    /// <summary>Nothing more will come for the item.</summary>
    Closed,
}
