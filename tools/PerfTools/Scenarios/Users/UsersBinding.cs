namespace PerfTools.Scenarios.Users;

/// <summary>Assigns the processors of <c>--bind auto</c> to the workers of a ramp: those of its processes that are started here.</summary>
internal static class UsersBinding
{
    /// <inheritdoc cref="WorkerBinding.Assign(Scenario, ScenarioOptions, IReadOnlyList{int}, ScenarioRanks)"/>
    public static IReadOnlyDictionary<string, IReadOnlyList<int>> Assign(
        UsersVariant variant, UsersOptions options, RampShare share, IReadOnlyList<int> usable) =>
        WorkerBinding.Assign(CountWorkers(variant.Parameters, options, share), usable);

    /// <inheritdoc cref="WorkerBinding.FindShortage(Scenario, ScenarioOptions, IReadOnlyList{int}, ScenarioRanks)"/>
    public static string? FindShortage(UsersVariant variant, UsersOptions options, RampShare share, IReadOnlyList<int> usable) =>
        WorkerBinding.FindShortage(CountWorkers(variant.Parameters, options, share), usable);

    // None without the option.
    private static IReadOnlyList<(string Role, int Workers)> CountWorkers(UsersParameters parameters, UsersOptions options, RampShare share) =>
        !options.BindsWorkers ? [] :
        [
            .. share.HasHub ? [(UsersOptions.HubRole, parameters.StartedSessionThreads + parameters.StartedSourceThreads)] : Array.Empty<(string, int)>(),
            .. share.Sources.Select(part => (UsersRun.NameOfSource(part), 1)),
            .. share.Users.Select(part => (UsersRun.NameOfUsers(part), parameters.StartedUsersThreads)),
        ];
}
