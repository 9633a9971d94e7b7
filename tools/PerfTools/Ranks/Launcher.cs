using System.Globalization;
using PerfCommon;

namespace PerfTools.Ranks;

/// <summary>A program that starts the same command on several machines, and the variables that give each its rank.</summary>
/// <param name="Name">Its name for people.</param>
/// <param name="Rank">The variable with the rank, from 0.</param>
/// <param name="Counts">The variables with the number of ranks; the first that is set counts.</param>
/// <param name="RunIds">The variables whose values, joined by dots, name the run; none where the launcher has no such name.</param>
internal sealed record Launcher(string Name, string Rank, IReadOnlyList<string> Counts, IReadOnlyList<string> RunIds)
{
    /// <summary>The value of <c>--rank</c> that reads the rank from the launcher.</summary>
    public const string Auto = "auto";

    private const string OwnCount = "PERFTOOLS_RANKS";
    private const string OwnRunId = "PERFTOOLS_RUN_ID";
    private const int MaxRunIdChars = 100;

    /// <summary>
    /// The known launchers, in the order of detection: mpirun within a job of Slurm inherits a rank that is not its own.
    /// </summary>
    public static IReadOnlyList<Launcher> All { get; } =
    [
        new("PERFTOOLS_RANK", "PERFTOOLS_RANK", [OwnCount], [OwnRunId]),
        new("Open MPI", "OMPI_COMM_WORLD_RANK", ["OMPI_COMM_WORLD_SIZE"], []),
        new("MPICH or Intel MPI", "PMI_RANK", ["PMI_SIZE"], []),
        new("Slurm", "SLURM_PROCID", ["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"], ["SLURM_JOB_ID", "SLURM_STEP_ID"]),
        new("Kubernetes", "JOB_COMPLETION_INDEX", [OwnCount], [OwnRunId]),
    ];

    /// <summary>Finds the rank of this process.</summary>
    /// <param name="asked"><c>auto</c>, or a rank and their number such as <c>2/6</c>.</param>
    /// <param name="runId">The name of the run; null for the launcher's name.</param>
    /// <param name="read">Reads an environment variable; null for one that is not set.</param>
    /// <exception cref="SetupException">No launcher gives a rank, or only one half of it, or an impossible one (exit code 2).</exception>
    public static RankIdentity Find(string asked, string? runId, Func<string, string?> read)
    {
        if (asked != Auto)
        {
            return RankIdentity.TryParse(asked, out int rank, out int count)
                ? new(rank, count, CheckRunId(runId, "--run-id", "--rank"), "--rank")
                    : throw Refuse($"--rank: '{PrintableText.From(asked)}' is no rank such as 2/6");
        }

        Launcher launcher = All.FirstOrDefault(known => known.IsThere(read)) ?? throw Refuse(
            $"--rank auto: no launcher has said which rank this is ({string.Join(", ", All.Select(known => known.Rank))}); give --rank i/n");
        return launcher.Read(runId, read);
    }

    // The number of ranks in our own variable is also one half of the last row.
    private bool IsThere(Func<string, string?> read) => read(Rank) is not null
        || (Counts.Any(name => read(name) is not null) && !(Counts[0] == OwnCount && (this == All[^1] || read(All[^1].Rank) is not null)));

    private RankIdentity Read(string? runId, Func<string, string?> read)
    {
        string countName = Counts.FirstOrDefault(name => read(name) is not null) ?? Counts[0];
        int rank = ReadNumber(Rank, countName, read), count = ReadNumber(countName, Rank, read);
        if (!RankIdentity.AreFit(rank, count))
            throw Refuse(string.Create(CultureInfo.InvariantCulture, $"{Name}: {Rank} is {rank} and {countName} {count}"));
        string?[] own = [.. RunIds.Select(read)];
        runId ??= own.Length > 0 && own.All(part => !string.IsNullOrEmpty(part)) ? string.Join('.', own) : null;
        return new(rank, count, CheckRunId(runId, RunIds.Count > 0 ? $"--run-id or {string.Join(" and ", RunIds)}" : "--run-id", Name),
            $"{Name} ({Rank}, {countName})");
    }

    private int ReadNumber(string name, string other, Func<string, string?> read)
    {
        if (read(name) is not { } text)
            throw Refuse($"{Name}: {other} is there without {name}; one says nothing without the other");
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            ? number : throw Refuse($"{Name}: {name} is '{PrintableText.From(text)}', no whole number");
    }

    private static string CheckRunId(string? runId, string where, string who)
    {
        if (string.IsNullOrEmpty(runId))
            throw Refuse($"{who}: {where} must say what all ranks call the run");
        return runId.Length <= MaxRunIdChars && runId.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '-' or '_')
            ? runId : throw Refuse(
                $"--run-id: '{PrintableText.From(runId)}' has other than letters, digits, dots, - and _, or more than {MaxRunIdChars} of them");
    }

    private static SetupException Refuse(string problem) => new(SetupProblem.CommandLine, problem);
}
