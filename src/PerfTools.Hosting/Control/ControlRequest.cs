namespace PerfTools.Hosting.Control;

/// <summary>A client's request to a running program, as far as it matters.</summary>
/// <param name="Method">GET or POST, or another method received.</param>
/// <param name="Path">Path of the address, without a question mark and its query.</param>
internal sealed record ControlRequest(string Method, string Path)
{
    /// <summary>Maximum bytes of a body.</summary>
    public const int MaxBodyBytes = 4096;

    /// <summary>The header that a web page cannot send without asking first.</summary>
    public const string OwnHeader = "X-PerfTools";

    /// <summary>The header Authorization; null for none.</summary>
    public string? Authorization { get; init; }

    /// <summary>The value of <see cref="OwnHeader"/>; null for none.</summary>
    public string? Own { get; init; }

    /// <summary>The body; null when it is longer than <see cref="MaxBodyBytes"/>.</summary>
    public string? Body { get; init; } = "";
}
