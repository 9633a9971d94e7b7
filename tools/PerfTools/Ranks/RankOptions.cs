using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;

namespace PerfTools.Ranks;

/// <summary>The options of a run over several machines. Immutable; vary it with <c>with</c>.</summary>
internal sealed record RankOptions
{
    /// <summary>The environment variable with the token of the port of rank 0.</summary>
    public const string TokenVariable = "PERFTOOLS_MEET_TOKEN";

    /// <summary><c>auto</c>, or a rank and their number; null for a run on this machine alone. <c>--rank</c></summary>
    public string? Rank { get; init; }

    /// <summary>The roles of each rank; null for the default. <c>--place</c></summary>
    public RankPlacement? Place { get; init; }

    /// <summary>The name of the run on all ranks; null for the launcher's name. <c>--run-id</c></summary>
    public string? RunId { get; init; }

    /// <summary>The address at which other machines reach this one; null for the address of the default route. <c>--address</c></summary>
    public string? Address { get; init; }

    /// <summary>The timeout in seconds for all ranks and the sources to be present. <c>--meet-timeout</c></summary>
    public int MeetSeconds { get; init; } = 120;

    /// <summary>The address of rank 0's port for ranks that share no folder; null for a shared folder. <c>--meet</c></summary>
    public HostAddress? Meet { get; init; }

    /// <summary>The token that all ranks show there. <c>--meet-token</c></summary>
    public Secret MeetToken { get; init; } = new(null, TokenVariable);

    /// <summary>Seconds from the rendezvous to the first log-in. <c>--start-in</c></summary>
    public int StartInSeconds { get; init; } = 10;

    /// <summary>Who stamps the probes of the clocks. <c>--clock-stamps</c></summary>
    public ClockStamps ClockStamps { get; init; }

    /// <summary>Probes of a clock a second during the run. <c>--clock-rate</c></summary>
    public int ClockRate { get; init; } = ClockOptions.UsualRate;

    /// <summary>The options whose secrets others on this machine can read.</summary>
    public IEnumerable<string> OpenSecrets => MeetToken.IsGivenOpenly ? ["--meet-token"] : [];

    /// <summary>Finds the first contradiction, as a sentence that names the option; null when there is none.</summary>
    /// <param name="folder">The folder for all results; null for none.</param>
    public string? FindProblem(string? folder) => this switch
    {
        { Rank: null } and ({ Place: not null } or { RunId: not null } or { Address: not null }) =>
            "--place, --run-id and --address need --rank",
        { Rank: null, Meet: not null } => "--meet needs --rank",
        { Meet: null } when MeetToken.IsGiven => "--meet-token needs --meet",
        { Rank: not null, Meet: not null } when folder is null => "--rank needs --out, a folder for the results of this rank",
        { Rank: not null } when folder is null => "--rank needs --out, a folder that all ranks share",
        _ => null,
    };
}

/// <summary>Adds the options of several machines to a table.</summary>
internal static class RankRows
{
    private const int MaxSeconds = 86_400;

    /// <summary>Adds the options of every such run.</summary>
    /// <param name="table">The table.</param>
    /// <param name="get">Reads the options.</param>
    /// <param name="set">Creates the same with others.</param>
    /// <param name="place">Parses a placement; null for other text.</param>
    /// <param name="kind">The form of a placement, after "is not".</param>
    /// <param name="help">Describes the option for the placement.</param>
    public static void Add<T>(OptionTable<T> table, Func<T, RankOptions> get, Func<T, RankOptions, T> set, Func<string, RankPlacement?> place,
        string kind, string help)
        where T : class
    {
        OptionRows<T, RankOptions> rows = table.Part(get, set);
        rows.Custom("-rank", "auto or i/n", "auto, or a rank from 0 and their number such as 2/6",
            "which of n processes this is, each started with the same command: auto asks the launcher (MPI, Slurm, Kubernetes)",
            r => r.Rank, (r, text) => text == Launcher.Auto || RankIdentity.TryParse(text, out _, out _) ? r with { Rank = text } : null);
        rows.Custom("-place", "list", kind, help, r => r.Place?.ToString(), (r, text) => place(text) is { } v ? r with { Place = v } : null);
        rows.Text("-run-id", "name", "what all ranks call the run, where the launcher has no name for it", r => r.RunId,
            (r, v) => r with { RunId = v });
        rows.Text("-address", "address", "where other ranks find this machine (default: the address of its default route)", r => r.Address,
            (r, v) => r with { Address = v });
        rows.Number("-meet-timeout", "s", "time limit for all ranks and what they wait for to be ready", r => r.MeetSeconds,
            (r, v) => r with { MeetSeconds = v }).Within(1, MaxSeconds);
        rows.Custom("-meet", "host:port", "host:port", "where rank 0 listens for ranks that share no folder with it; the same on all ranks",
            r => r.Meet?.ToString(), (r, text) => HostAddress.TryParse(text) is { } at ? r with { Meet = at } : null);
        rows.Password("-meet-token", "token",
            $"what all ranks show there, @file reads it from a file; otherwise {RankOptions.TokenVariable}", r => r.MeetToken, (r, v) =>
                r with { MeetToken = v });
    }

    /// <summary>Adds the time of the start, for roles that begin together.</summary>
    public static void AddStart<T>(OptionTable<T> table, Func<T, RankOptions> get, Func<T, RankOptions, T> set)
        where T : class =>
        table.Part(get, set).Number("-start-in", "s", "time from there to the first log-in", r => r.StartInSeconds,
            (r, v) => r with { StartInSeconds = v }).Within(1, MaxSeconds);
}
