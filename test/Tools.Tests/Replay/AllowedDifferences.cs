using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>Every rule by which our programs may say something else than the recorded ones. Sections are those of domains.md.</summary>
internal static class AllowedDifferences
{
    private const string SystemDomain = "127";

    // Names of programs, hosts and makers are never compared.
    private static readonly string[] OwnNames = ["ApplicationName", "Position", "Vendor"];

    // 2.2: batches are not announced, because none are served. 6: nor posts.
    private static readonly string[] OwnAbilities = ["SupportBatchRequests", "SupportOMMPost"];

    /// <summary>False for an element of a login or directory that each program fills as it is.</summary>
    public static bool IsCompared(string element) => !OwnNames.Contains(element) && !OwnAbilities.Contains(element);

    /// <summary>False for a value that only some programs list. 3.2: Capabilities with or without 127.</summary>
    public static bool IsCompared(string element, string value) => element != "Capabilities" || value != SystemDomain;

    /// <summary>True for what a post brings about besides updates: acknowledgements, which most providers never send (6.2, 6.4).</summary>
    public static bool IsFree(Said said) => said.Class == MsgClass.Ack;

    /// <summary>Our answer to a request that the editions answer differently; null when the recorded answer is ours, too.</summary>
    /// <param name="request">The request.</param>
    /// <param name="open">Item streams open at the provider now.</param>
    public static Said? InsteadOfRecorded(Said request, OpenStreams open)
    {
        if (request.Class != MsgClass.Request || request.Domain is DomainType.Login or DomainType.Source or DomainType.Dictionary)
            return null;
        return request switch
        {
            // 12: any other domain
            { Domain: not DomainType.MarketPrice } => Said.Closing(request, StreamState.Closed, StateCode.UsageError),

            // 5.6: a batch
            _ when (request.Flags & RequestFlags.HasBatch) != 0 => Said.Closing(request, StreamState.Closed, StateCode.UnableToRequestAsBatch),

            // 5.5, 12: another key on an open stream
            _ when open.HasOtherKey(request) => Said.Closing(request, StreamState.ClosedRecover, StateCode.UsageError),

            // 5.5, 12: the key is open on another stream
            _ when open.HasElsewhere(request) => Said.Closing(request, StreamState.ClosedRecover, StateCode.AlreadyOpen),
            _ => null,
        };
    }
}
