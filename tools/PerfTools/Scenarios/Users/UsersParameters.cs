using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;

namespace PerfTools.Scenarios.Users;

/// <summary>The parameters of one variant of a load. Immutable; vary it with <c>with</c>, or by name.</summary>
internal sealed record UsersParameters
{
    /// <summary>The name of the threads of each process with users.</summary>
    public const string UsersThreadsName = "usersThreads";

    /// <summary>The kinds of connection: plain, and by TLS.</summary>
    public const string Socket = "socket", Encrypted = "encrypted";
    private const int MaxSources = 64;

    /// <summary>The number of processes that publish, each with its part of the subjects.</summary>
    public int Sources { get; init; } = 1;

    /// <summary>The hub's threads for sources; null for its default.</summary>
    public int? SourceThreads { get; init; }

    /// <summary>The hub's threads for sessions; null for its default.</summary>
    public int? SessionThreads { get; init; }

    /// <summary>The bytes of an update.</summary>
    public int Size { get; init; } = 54;

    /// <summary>The fields of an update; null for the default of its size.</summary>
    public int? Fields { get; init; }

    /// <summary>The minimum length of a burst in seconds, the unit of the next ones, too.</summary>
    public double BurstMin { get; init; }
    public double BurstMax { get; init; }
    public double BurstIncrement { get; init; } = 0.01;
    public double Throttle { get; init; }

    public int Subjects { get; init; }

    /// <summary>Updates per second of each subject.</summary>
    public double SubjectRate { get; init; }

    /// <summary>The number of subjects of each user.</summary>
    public int Subscriptions { get; init; }

    /// <summary>The pattern, spread or same: <c>-pattern</c> of UsersPerf.</summary>
    public string Pattern { get; init; } = "spread";

    /// <summary>The kind of connection: socket, encrypted or websocket.</summary>
    public string ConnType { get; init; } = Socket;

    /// <summary>True where hub, sources and users are connected by TLS.</summary>
    public bool IsEncrypted => ConnType == Encrypted;

    /// <summary>Posts per second of one contributor; 0 for none.</summary>
    public double PostRate { get; init; }

    /// <summary>The number of users who post, the first ones; null for all.</summary>
    public int? Contributors { get; init; }

    /// <summary>The number of processes that simulate users on each machine with users; null for the number that the load needs.</summary>
    public int? UsersProcesses { get; init; }

    /// <summary>The threads of each process with users; null for the program's default.</summary>
    public int? UsersThreads { get; init; }

    /// <summary>The hub's threads for sessions, those for sources, and the threads of each process with users, as they are started here.</summary>
    public int StartedSessionThreads => SessionThreads ?? HubThreadCounts.Sessions(Environment.ProcessorCount);
    public int StartedSourceThreads => SourceThreads ?? HubThreadCounts.Sources(Environment.ProcessorCount);
    public int StartedUsersThreads => UsersThreads ?? UsersThreadCounts.OfProcess(Environment.ProcessorCount);

    /// <summary>Updates per second of all sources together.</summary>
    public double SourceRate => Subjects * SubjectRate;

    /// <summary>Updates per second of one user.</summary>
    public double UserRate => Subscriptions * SubjectRate;

    // each named once
    private static readonly IReadOnlyList<Row> Rows =
    [
        Whole("sources", "", p => p.Sources, (p, v) => p with { Sources = v }, 1, MaxSources),
        Whole("sourceThreads", "of the hub", p => p.SourceThreads, (p, v) => p with { SourceThreads = v }, 0, 8),
        Whole("sessionThreads", "of the hub", p => p.SessionThreads, (p, v) => p with { SessionThreads = v }, 1, 8),
        Whole("size", "bytes", p => p.Size, (p, v) => p with { Size = v }, 34, 6_000),
        Whole("fields", "", p => p.Fields, (p, v) => p with { Fields = v }, 3, 64),
        Number("burstMin", "s", p => p.BurstMin, (p, v) => p with { BurstMin = v }, 60),
        Number("burstMax", "s", p => p.BurstMax, (p, v) => p with { BurstMax = v }, 60),
        Number("burstIncrement", "s", p => p.BurstIncrement, (p, v) => p with { BurstIncrement = v }, 60),
        Number("throttle", "s", p => p.Throttle, (p, v) => p with { Throttle = v }, 60),
        Whole("subjects", "", p => p.Subjects, (p, v) => p with { Subjects = v }, 1, 350_000),
        Number("rate", "1/s of a subject", p => p.SubjectRate, (p, v) => p with { SubjectRate = v }, 100_000),
        Whole("subscriptions", "of a user", p => p.Subscriptions, (p, v) => p with { Subscriptions = v }, 1, 350_000),
        Word("pattern", p => p.Pattern, (p, v) => p with { Pattern = v }, "spread", "same"),
        Word("connType", p => p.ConnType, (p, v) => p with { ConnType = v }, Socket, Encrypted, "websocket"),
        Number("postRate", "1/s of a contributor", p => p.PostRate, (p, v) => p with { PostRate = v }, 1_000),
        Whole("contributors", "", p => p.Contributors, (p, v) => p with { Contributors = v }, 1, 1_000_000),
        Whole("users-processes", "of each machine", p => p.UsersProcesses, (p, v) => p with { UsersProcesses = v }, 1, 1_000),
        Whole(UsersThreadsName, "", p => p.UsersThreads, (p, v) => p with { UsersThreads = v }, 1, ThreadPlan.MaxThreads) with
        {
            Title = "threads of a users process",
        },
    ];

    /// <summary>The names by which parameters are set.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Rows.Select(row => row.Name)];

    /// <summary>The same with their units, for tables.</summary>
    public static IReadOnlyList<string> Titles { get; } =
        [.. Rows.Select(row => row.Title ?? (row.Unit.Length == 0 ? row.Name : $"{row.Name} ({row.Unit})"))];

    /// <summary>All values as they are typed, by their names.</summary>
    public IReadOnlyList<(string Name, string Value)> All => [.. Rows.Select(row => (row.Name, row.Read(this)))];

    /// <summary>Sets one parameter.</summary>
    /// <param name="assignment">Of the form <c>name=value</c>.</param>
    /// <param name="problem">What is wrong with it, as a sentence; null when nothing is.</param>
    public UsersParameters? TrySet(string assignment, out string? problem)
    {
        string[] parts = assignment.Split('=', 2);
        Row? row = Rows.FirstOrDefault(row => row.Name.Equals(parts[0], StringComparison.OrdinalIgnoreCase));
        if (parts.Length < 2 || row is null)
        {
            problem = parts.Length < 2 ? $"'{assignment}' is not name=value" : ClosestName.Refuse(parts[0], "parameter", Names);
            return null;
        }

        UsersParameters? changed = row.Apply(this, parts[1]);
        problem = changed is null ? $"'{parts[1]}' is no value of {row.Name}" : null;
        return changed;
    }

    /// <summary>The difference from others, as the name of a variant; <c>base</c> when there is none.</summary>
    public string NameAmong(UsersParameters others)
    {
        string[] differences = [.. Rows.Where(row => row.Read(this) != row.Read(others)).Select(row => Name(row.Name, row.Read(this)))];
        return differences is [] ? "base" : string.Join('-', differences);
    }

    private static string Name(string parameter, string value) => parameter switch
    {
        "burstMax" => "burst" + (double.Parse(value, CultureInfo.InvariantCulture) * 1_000).ToString("0.###", CultureInfo.InvariantCulture),
        "size" => "size" + value,
        _ => $"{parameter}-{value}",
    };

    private static Row Whole(string name, string unit, Func<UsersParameters, int?> read, Func<UsersParameters, int, UsersParameters> set,
        int min, int max) => new(
        name, unit, p => read(p)?.ToString(CultureInfo.InvariantCulture) ?? "",
        (p, text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value >= min && value <= max
            ? set(p, value) : null);

    private static Row Number(
        string name, string unit, Func<UsersParameters, double> read, Func<UsersParameters, double, UsersParameters> set, double max) => new(
        name, unit, p => read(p).ToString(CultureInfo.InvariantCulture),
        (p, text) => double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) && value <= max
            ? set(p, value) : null);

    private static Row Word(
        string name, Func<UsersParameters, string> read, Func<UsersParameters, string, UsersParameters> set, params string[] words) => new(
        name, "", read, (p, text) => words.Contains(text) ? set(p, text) : null);

    private sealed record Row(string Name, string Unit, Func<UsersParameters, string> Read, Func<UsersParameters, string, UsersParameters?> Apply)
    {
        /// <summary>Its name in tables; null for its name with the unit.</summary>
        public string? Title { get; init; }
    }
}
