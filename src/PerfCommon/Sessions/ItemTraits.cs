namespace PerfCommon.Sessions;

/// <summary>What a provider knows of one item stream beside its name and id.</summary>
[Flags]
internal enum ItemTraits : byte
{
    /// <summary>A snapshot that was not asked again.</summary>
    None = 0,

    /// <summary>Updates follow the image.</summary>
    Streaming = 1,

    /// <summary>The request asked for a private stream.</summary>
    PrivateStream = 2,

    /// <summary>The request's key carried a name type, so the image's key repeats it.</summary>
    NameTypeGiven = 4,

    /// <summary>The part that comes from requests.</summary>
    Asked = Streaming | PrivateStream | NameTypeGiven,

    /// <summary>The image that is due answers a request.</summary>
    Solicited = 8,

    /// <summary>An image is queued.</summary>
    RefreshDue = 16,
}
