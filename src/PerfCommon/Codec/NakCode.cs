namespace PerfCommon.Codec;

/// <summary>Why an acknowledgement is negative.</summary>
public enum NakCode : byte
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Access denied.</summary>
    AccessDenied = 1,

    /// <summary>Denied by src.</summary>
    DeniedBySrc = 2,

    /// <summary>Source down.</summary>
    SourceDown = 3,

    /// <summary>Source unknown.</summary>
    SourceUnknown = 4,

    /// <summary>No resources.</summary>
    NoResources = 5,

    /// <summary>No response.</summary>
    NoResponse = 6,

    /// <summary>Gateway down.</summary>
    GatewayDown = 7,

    /// <summary>Symbol unknown.</summary>
    SymbolUnknown = 10,

    /// <summary>Not open.</summary>
    NotOpen = 11,

    /// <summary>Invalid content.</summary>
    InvalidContent = 12,
}
