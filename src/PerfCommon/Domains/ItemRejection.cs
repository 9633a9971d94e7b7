namespace PerfCommon.Domains;

/// <summary>Why a provider refuses a request for an item.</summary>
public enum ItemRejection : byte
{
    /// <summary>It does not: send the image.</summary>
    None,

    /// <summary>The connection has as many items open as it may.</summary>
    OpenLimit,

    /// <summary>The key names no service, or one that is not ours.</summary>
    ServiceId,

    /// <summary>Our quality of service is not what is wanted.</summary>
    Qos,

    /// <summary>Another stream of the connection has the same key.</summary>
    AlreadyOpen,

    /// <summary>The stream is open with another key.</summary>
    StreamInUse,

    /// <summary>We have no items of that domain.</summary>
    Domain,

    /// <summary>The request lists items; batches are not announced at login.</summary>
    Batch,
}
