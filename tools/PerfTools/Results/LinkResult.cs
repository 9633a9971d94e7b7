namespace PerfTools.Results;

/// <summary>The account of one link, as run.json has it: what was sent must have been received or counted as lost.</summary>
internal sealed record LinkResult
{
    /// <summary>The role that sends.</summary>
    public required string From { get; init; }

    /// <summary>The role that receives.</summary>
    public required string To { get; init; }

    /// <summary>What is counted, in the plural.</summary>
    public required string What { get; init; }

    /// <summary>Messages whose last byte the sender's socket took; null when the sender left no figures.</summary>
    public required long? Sent { get; init; }

    /// <summary>Messages that the receiver counted; null when it left no figures.</summary>
    public required long? Received { get; init; }

    /// <summary>Messages that the receiver counted as lost; null when it left no figures.</summary>
    public required long? Lost { get; init; }

    /// <summary>Messages that were due and never sent, no part of <see cref="Sent"/>; null when the sender left no figures.</summary>
    public required long? NotSent { get; init; }

    /// <summary>True when nothing is missing and nothing is too many; null when that cannot be known.</summary>
    public bool? Balanced => Comparable ? Sent == Received + Lost : null;

    /// <summary>False when one side was not ours, left no figures, or was cut off.</summary>
    public required bool Comparable { get; init; }

    /// <summary>What is counted, with the two roles where other links count the same.</summary>
    public string NameAmong(IEnumerable<LinkResult> links) =>
        links.Count(link => link.What == What) > 1 ? $"{What} from {From} to {To}" : What;
}
