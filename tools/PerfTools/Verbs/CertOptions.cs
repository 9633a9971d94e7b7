namespace PerfTools.Verbs;

/// <summary>What <c>perftools cert</c> is asked to make. Vary it with <c>with</c>.</summary>
internal sealed record CertOptions
{
    private const int MaxDays = 3650;

    /// <summary>The folder for the files. <c>--out</c></summary>
    public string Out { get; init; } = "certs";

    /// <summary>Host names and addresses of the server, separated by commas. <c>--names</c></summary>
    public string Names { get; init; } = "localhost,127.0.0.1,::1";

    /// <summary>Days from now that the certificates are valid. <c>--days</c></summary>
    public int Days { get; init; } = 30;

    /// <summary>The names, one by one.</summary>
    public IReadOnlyList<string> NameList => Names.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { Days: < 1 or > MaxDays } => $"--days must be 1 to {MaxDays}",
        { NameList: [] } => "--names must name a host",
        { NameList: var names } when names.FirstOrDefault(n => !IsHost(n)) is { } wrong => $"--names: '{wrong}' is no host name and no address",
        _ => null,
    };

    private static bool IsHost(string name) => Uri.CheckHostName(name) != UriHostNameType.Unknown;
}
