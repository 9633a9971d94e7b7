namespace PerfCommon.Codec;

/// <summary>Domain of a message; 128 to 255 are user domains, unknown values are no error.</summary>
public enum DomainType : byte // wire/rwf 5
{
    /// <summary>Login domain.</summary>
    Login = 1,

    /// <summary>Source directory.</summary>
    Source = 4,

    /// <summary>Dictionary domain.</summary>
    Dictionary = 5,

    /// <summary>Market Price domain.</summary>
    MarketPrice = 6,

    /// <summary>Market By Order domain.</summary>
    MarketByOrder = 7,

    /// <summary>Market By Price domain.</summary>
    MarketByPrice = 8,

    /// <summary>Market Maker domain.</summary>
    MarketMaker = 9,

    /// <summary>Symbol List domain.</summary>
    SymbolList = 10,

    /// <summary>Service Provider Status domain.</summary>
    ServiceProviderStatus = 11,

    /// <summary>History domain.</summary>
    History = 12,

    /// <summary>Headline domain.</summary>
    Headline = 13,

    /// <summary>Story domain.</summary>
    Story = 14,

    /// <summary>Replay Headline domain.</summary>
    ReplayHeadline = 15,

    /// <summary>Replay Story domain.</summary>
    ReplayStory = 16,

    /// <summary>Transaction domain.</summary>
    Transaction = 17,

    /// <summary>Yield Curve domain.</summary>
    YieldCurve = 22,

    /// <summary>Contribution domain.</summary>
    Contribution = 27,

    /// <summary>Provider Admin domain.</summary>
    ProviderAdmin = 29,

    /// <summary>Analytics domain.</summary>
    Analytics = 30,

    /// <summary>Reference domain.</summary>
    Reference = 31,

    /// <summary>News Text Analytics domain.</summary>
    NewsTextAnalytics = 33,

    /// <summary>Economic Indicator domain.</summary>
    EconomicIndicator = 34,

    /// <summary>Poll domain.</summary>
    Poll = 35,

    /// <summary>Forecast domain.</summary>
    Forecast = 36,

    /// <summary>Market By Time domain.</summary>
    MarketByTime = 37,

    /// <summary>System domain.</summary>
    System = 127,
}
