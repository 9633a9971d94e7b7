namespace PerfCommon.Codec;

/// <summary>Kind of an update.</summary>
public enum UpdateType : byte
{
    /// <summary>Unspecified.</summary>
    Unspecified = 0,

    /// <summary>Quote.</summary>
    Quote = 1,

    /// <summary>Trade.</summary>
    Trade = 2,

    /// <summary>News alert.</summary>
    NewsAlert = 3,

    /// <summary>Volume alert.</summary>
    VolumeAlert = 4,

    /// <summary>Order indication.</summary>
    OrderIndication = 5,

    /// <summary>Closing run.</summary>
    ClosingRun = 6,

    /// <summary>Correction.</summary>
    Correction = 7,

    /// <summary>Market digest.</summary>
    MarketDigest = 8,

    /// <summary>Quotes trade.</summary>
    QuotesTrade = 9,

    /// <summary>Multiple.</summary>
    Multiple = 10,

    /// <summary>Verify.</summary>
    Verify = 11,
}
