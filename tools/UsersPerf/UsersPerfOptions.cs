using System.Globalization;
using PerfCommon.Codec;
using PerfTools.Hosting.Options;

namespace UsersPerf;

/// <summary>The options of one run of the simulator. Immutable; vary it with <c>with</c>.</summary>
/// <remarks>Each option's meaning, unit and flag are in its row of <see cref="UsersPerfOptionTable"/>.</remarks>
internal sealed record UsersPerfOptions : RoleOptions
{
    private const int MaxNameBytes = 240; // the user's number is appended
    private const int MaxFragmentedBytes = 1_024 * 1_024; // of one of thousands of connections

    public UsersPerfOptions()
    {
        Connection = new ConnectionOptions().ChangeChannel(channel => channel with
        {
            MaxReassembledBytes = MaxFragmentedBytes,
            ReassemblyLimitBytes = MaxFragmentedBytes,
        });
        Run = new RunOptions { SummaryFile = "UsersSummary.out", StatsFile = "UsersStats", TickRate = 100 }
            .WithUsualThreads(UsersThreadCounts.OfProcess(Environment.ProcessorCount));
    }

    public int Users { get; init; } = 100;
    public StepList? Steps { get; init; }
    public int WarmupSeconds { get; init; } = 10;
    public int SettleSeconds { get; init; } = 10;
    public int PeriodSeconds { get; init; } = 30;
    public DateTime? StartAt { get; init; }
    public string? StartFile { get; init; }
    public int RunSeconds { get; init; }
    public int LoginRate { get; init; } = 500;
    public int Subscriptions { get; init; } = 2;
    public int Subjects { get; init; } = 1_000;
    public double SubjectRate { get; init; }
    public double PostRate { get; init; }
    public int? Contributors { get; init; }
    public string ItemFile { get; init; } = "350k.xml";
    public bool HasSamePattern { get; init; }
    public bool AsksOneByOne { get; init; }

    /// <summary>The fields that users request; null for all.</summary>
    public FieldView? View { get; init; }

    public bool Measures { get; init; } = true;
    public bool DecodesAll { get; init; }
    public bool Reconnects { get; init; }
    public IReadOnlyList<Threshold> Until { get; init; } = [];
    public string ServiceName { get; init; } = "DIRECT_FEED";
    public string? UserName { get; init; }

    /// <summary>The figures among <see cref="Threshold.Metrics"/> that a period has.</summary>
    public static IReadOnlyList<string> UntilMetrics { get; } =
        [.. Threshold.Latencies, Threshold.Rate, Threshold.Rate + Threshold.Share, Threshold.Cpu, Threshold.Memory, Threshold.Lost];

    /// <summary>Maximum delay of a program after <see cref="StartAt"/>: its users are still logged in before the first period.</summary>
    public TimeSpan MaxLateness => TimeSpan.FromSeconds(WarmupSeconds + SettleSeconds);

    /// <summary>Describes a start that lies too far in the past, as a sentence; null for one that does not.</summary>
    public string? FindLateness(DateTime start) => DateTime.UtcNow - start is var late && late > MaxLateness
        ? string.Create(CultureInfo.InvariantCulture, $"-startAt was {late.TotalSeconds:F1} s ago, more than -warmup and -settle make up for "
            + $"({MaxLateness.TotalSeconds:F0} s): give a later time, the same to all parts") : null;

    /// <summary>Updates per second that a user should receive from sources; 0 where the update rate of a subject is not given.</summary>
    public double UserRate => Subscriptions * SubjectRate;

    /// <summary>Number of item sets that users have: user u has set u modulo that.</summary>
    public int ItemGroups => HasSamePattern ? 1 : Subjects / Subscriptions;

    public override string? FindProblem() => Run.FindProblem() ?? FindUserProblem() ?? Connection.FindProblem() ?? FindSessionProblem();

    private string? FindUserProblem() => this switch
    {
        { Subscriptions: var own, Subjects: var all } when own > all => "-subscriptions must not exceed -subjects",
        { Steps: null } o when (long)o.Users * o.Run.Part.Count > UserLimits.MaxOfAllParts =>
            $"-users times the parts of -part must not exceed {UserLimits.MaxOfAllParts}",
        { Steps: null, Until.Count: > 0 } => "-until needs -steps: it ends them",
        { Steps.Totals: [var first, ..] } when first < Run.Part.Count => "-steps must begin with as many users as there are parts, or more",
        { PostRate: 0, Contributors: not null } => "-contributors needs -postRate: it says who posts",
        { SubjectRate: 0 } o when o.Until.Any(limit => limit.Metric == Threshold.Rate + Threshold.Share) =>
            "-until rate in percent needs -subjectRate",
        _ => null,
    };

    private string? FindSessionProblem()
    {
        if (System.Text.Encoding.UTF8.GetByteCount(UserName ?? "") > MaxNameBytes)
            return $"-uname must not exceed {MaxNameBytes} bytes";
        if (System.Text.Encoding.UTF8.GetByteCount(ServiceName) > byte.MaxValue)
            return $"-serviceName must not exceed {byte.MaxValue} bytes";
        return Connection.JsonProtocol is { } json ? $"-websocket {json}: not available in this version" : Session.FindProblem();
    }
}
