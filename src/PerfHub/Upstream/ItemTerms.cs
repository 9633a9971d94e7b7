namespace PerfHub.Upstream;

/// <summary>How an item was requested first, or published. It does not change.</summary>
internal readonly record struct ItemTerms
{
    /// <summary>True when it is found by its name: one item for all requests.</summary>
    public bool IsShared { get; init; }

    public bool IsPrivate { get; init; }

    /// <summary>True for a stream that ends with its image.</summary>
    public bool IsSnapshot { get; init; }

    /// <summary>True when the key of its images has a type of the name, because the first request had one.</summary>
    public bool HasNameType { get; init; }
}
