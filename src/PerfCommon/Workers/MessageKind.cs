namespace PerfCommon.Workers;

/// <summary>The kinds of message whose counts must come out equal on both sides.</summary>
internal enum MessageKind
{
    /// <summary>Update messages of items.</summary>
    Update,

    /// <summary>Item images.</summary>
    Refresh,

    /// <summary>Item requests.</summary>
    Request,

    /// <summary>Posts.</summary>
    Post,

    /// <summary>Generic messages on item streams.</summary>
    Generic,

    /// <summary>Everything of login, directory, dictionary, and status messages.</summary>
    Other,
}
