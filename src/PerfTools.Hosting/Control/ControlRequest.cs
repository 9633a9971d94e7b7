namespace PerfTools.Hosting.Control;

/// <summary>What somebody asks of a running program, as far as it matters.</summary>
/// <param name="Method">GET or POST, or what else came.</param>
/// <param name="Path">Of the address, without what stands behind a question mark.</param>
internal sealed record ControlRequest(string Method, string Path)
{
    /// <summary>Most bytes of a body.</summary>
    public const int MaxBodyBytes = 4096;

    /// <summary>The header that a web page cannot send without asking first.</summary>
    public const string OwnHeader = "X-PerfTools";

    /// <summary>The header Authorization; null for none.</summary>
    public string? Authorization { get; init; }

    /// <summary>The value of <see cref="OwnHeader"/>; null for none.</summary>
    public string? Own { get; init; }

    /// <summary>What was sent; null when it is more than <see cref="MaxBodyBytes"/>.</summary>
    public string? Body { get; init; } = "";
}
