namespace PerfCommon.Domains;

/// <summary>What a provider's tables say of the stream and the key of a request.</summary>
internal enum ItemStreamUse : byte
{
    /// <summary>Neither the stream nor the key is open.</summary>
    New,

    /// <summary>The stream is open with this very key: a reissue.</summary>
    Reissue,

    /// <summary>The key is open on another stream.</summary>
    KeyOpenElsewhere,

    /// <summary>The stream is open with another key.</summary>
    OtherKeyOnStream,
}
