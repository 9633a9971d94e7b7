using PerfCommon.Sessions;

namespace ConsPerf;

/// <summary>The pair of servers of a warm standby. Immutable; vary it with <c>with</c>.</summary>
internal sealed record StandbyOptions
{
    public string? StartingHost { get; init; }
    public int? StartingPort { get; init; }
    public string? StandbyHost { get; init; }
    public int? StandbyPort { get; init; }
    public StandbyMode? Mode { get; init; }

    /// <summary>True when any of these options is given.</summary>
    public bool IsRequested => this != new StandbyOptions();

    /// <summary>The event that makes the consumer switch: its login, unless the service is configured.</summary>
    public StandbyMode EffectiveMode => Mode ?? StandbyMode.Login;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem(bool watchlist) => this switch
    {
        { IsRequested: true } when !watchlist => "warm standby needs -watchlist",
        { StartingPort: < 1 or > 65535 } => "-startingPort must be 1 to 65535",
        { StandbyPort: < 1 or > 65535 } => "-standbyPort must be 1 to 65535",
        { IsRequested: true, StandbyHost: null, StandbyPort: null } => "warm standby needs -standbyHostName or -standbyPort",
        _ => null,
    };
}
