namespace PerfCommon.Domains;

/// <summary>What a provider says of itself to everybody who logs in.</summary>
public sealed record LoginOffer
{
    /// <summary>Name of the program, such as <c>ProvPerf</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary>Number of the program, as text.</summary>
    public string ApplicationId { get; init; } = "256";

    /// <summary>Where the provider is, <see cref="LoginPosition"/>.</summary>
    public required string Position { get; init; }

    /// <summary>True when posts are answered.</summary>
    public bool SupportOmmPost { get; init; }

    /// <summary>Which batches are taken (1 requests, 2 reissues, 4 closes); null leaves the element out.</summary>
    public ulong? SupportBatchRequests { get; init; }

    /// <summary>True to measure round trips with consumers that ask for it.</summary>
    public bool RoundTripLatency { get; init; }

    /// <summary>The program of this process, at this machine's address.</summary>
    public static LoginOffer OfThisProcess() => new()
    {
        ApplicationName = AppDomain.CurrentDomain.FriendlyName,
        Position = LoginPosition.FindLocal(),
    };
}
