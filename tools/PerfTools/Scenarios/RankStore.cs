using PerfCommon;
using PerfTools.Ranks;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios;

/// <summary>The files of the rendezvous of ranks: in the folder that they share, or with <c>--meet</c> at the port of rank 0.</summary>
internal sealed class RankStore : IDisposable
{
    private const int MinTokenChars = 8;
    private const int MaxTokenChars = 200;

    private readonly RendezvousPort? _port;

    private RankStore(IRendezvousStore files, RendezvousPort? port = null) => (Files, _port) = (files, port);

    public IRendezvousStore Files { get; }

    /// <summary>Opens those of a scenario.</summary>
    /// <param name="scenario">The scenario, with each process as a role.</param>
    /// <param name="options">Its options, with a placement of every role.</param>
    /// <param name="rank">This rank.</param>
    /// <param name="run">The number of the run among those that the ranks carry out one after another.</param>
    /// <param name="folder">The folder of this rank.</param>
    /// <param name="stop">Cancels the wait for rank 0.</param>
    /// <inheritdoc cref="Open(RankOptions, RankIdentity, RunNumber, RunFolder, Func{FolderStore, int, PortService}, CancellationToken)" path="/exception"/>
    public static RankStore Open(Scenario scenario, ScenarioOptions options, RankIdentity rank, RunNumber run, RunFolder folder, CancellationToken stop)
    {
        RankPlacement place = options.Ranks.Place!.NameEach();
        IReadOnlyList<Role> all = scenario.RolesOf(options);
        PortService OpenService(FolderStore files, int of)
        {
            Role[] roles = [.. all.Where(role => place.RanksOf(role.Name).Contains(of))];
            return new(files, Rendezvous.NamesOf(of, [.. roles.Select(role => role.Name)], all.Select(role => role.Name)), folder.FullPath, of,
                name => Array.Exists(roles, role => role.HasFile(name)));
        }

        return Open(options.Ranks, rank, run, folder, OpenService, stop);
    }

    /// <summary>Opens them.</summary>
    /// <param name="options">The options of the rendezvous.</param>
    /// <param name="rank">This rank.</param>
    /// <param name="run">The number of the run among those that the ranks carry out one after another.</param>
    /// <param name="folder">The folder of this rank.</param>
    /// <param name="serve">Creates, on rank 0, what serves another rank; called for each of its connections.</param>
    /// <param name="stop">Cancels the wait for rank 0.</param>
    /// <exception cref="SetupException">
    /// There is no token, or there are too many ranks (exit code 2); the port is in use, rank 0 was not found, or it refused this rank (4); the folder
    /// cannot be created (7).
    /// </exception>
    public static RankStore Open(
        RankOptions options, RankIdentity rank, RunNumber run, RunFolder folder, Func<FolderStore, int, PortService> serve, CancellationToken stop)
    {
        string path = Rendezvous.FolderOf(folder.FullPath, rank.RunId);
        if (options.Meet is not { } address)
            return new(new FolderStore(path));
        string token = FindToken(options);
        if (rank.Count > RendezvousPort.MaxRanks)
            throw new SetupException(SetupProblem.CommandLine, FormattableString.Invariant($"--meet: {rank.Count} ranks, at most {RendezvousPort.MaxRanks}"));
        RunFolder.Open(path, "", DateTime.UtcNow, []);
        FolderStore files = new(path);
        return rank.Rank == 0 ? new(files, RendezvousPort.Listen(address, new(token, rank, run.Number), of => serve(files, of)))
            : new(PortStore.Connect(address, new(token, rank.RunId, rank.Rank, rank.Count, run.Number), path, TimeSpan.FromSeconds(options.MeetSeconds), stop));
    }

    /// <inheritdoc cref="RendezvousPort.DescribeRefused"/>
    public string? DescribeRefused() => _port?.DescribeRefused();

    public void Dispose()
    {
        Files.Dispose();
        _port?.Dispose();
    }

    private static string FindToken(RankOptions options) => options.MeetToken.Reveal() is { Length: >= MinTokenChars and <= MaxTokenChars } token ? token
        : throw new SetupException(SetupProblem.CommandLine,
            FormattableString.Invariant($"--meet: --meet-token or {RankOptions.TokenVariable} must have {MinTokenChars} to {MaxTokenChars} characters"));
}
