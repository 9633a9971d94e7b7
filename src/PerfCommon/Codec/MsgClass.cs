namespace PerfCommon.Codec;

/// <summary>Class of a message: the low five bits of its third byte.</summary>
public enum MsgClass : byte
{
    /// <summary>Asks for a stream.</summary>
    Request = 1,

    /// <summary>Image or part of one.</summary>
    Refresh = 2,

    /// <summary>State change.</summary>
    Status = 3,

    /// <summary>Change of data.</summary>
    Update = 4,

    /// <summary>Ends a stream.</summary>
    Close = 5,

    /// <summary>Answers a post or a close.</summary>
    Ack = 6,

    /// <summary>Two-way message.</summary>
    Generic = 7,

    /// <summary>Contribution.</summary>
    Post = 8,
}
