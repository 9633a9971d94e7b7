namespace PerfTools.Scenarios.Users;

/// <summary>
/// One class of load of the users suite: the number of subjects, their update rate, the number of them per user, and the number of users
/// step after step.
/// </summary>
internal sealed record UsersLoad
{
    private const string FirstSteps = "250..5500/250";

    /// <summary>The word after <c>perftools run</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Its name in tables.</summary>
    public required string Title { get; init; }

    /// <summary>The kind of user it represents, in words; empty for a load without a description.</summary>
    public string StandsFor { get; init; } = "";

    /// <summary>The parameters of the unchanged variant.</summary>
    public required UsersParameters Base { get; init; }

    /// <summary>The steps of a run of some seconds.</summary>
    public required string QuickSteps { get; init; }

    /// <summary>The steps up to the expected capacity of a hub.</summary>
    public required string FullSteps { get; init; }

    /// <summary>The same with batches; null where there is no such variant.</summary>
    public string? BatchSteps { get; init; }

    /// <summary>The same with other sizes of messages; null where there is no such variant.</summary>
    public string? SizeSteps { get; init; }

    /// <summary>The number of users up to which the graphs of the first part extend.</summary>
    public required int FirstUsers { get; init; }

    /// <summary>All classes, the lowest rate first.</summary>
    public static IReadOnlyList<UsersLoad> All { get; } =
    [
        new()
        {
            Name = "users-low",
            Title = "Low",
            StandsFor = "people who look in now and then: two prices on a web page or a phone, each updated every two seconds",
            Base = new() { Subjects = 1_000, SubjectRate = 0.5, Subscriptions = 2, Sources = 1 },
            QuickSteps = "500,1000,2000",
            FullSteps = FirstSteps + ",7500..100000/2500",
            FirstUsers = 5_500,
        },
        new()
        {
            Name = "users-medium",
            Title = "Medium",
            StandsFor = "people who follow a market: a watch list of twenty instruments on a desktop or a web page",
            Base = new() { Subjects = 4_000, SubjectRate = 0.5, Subscriptions = 20, Sources = 2 },
            QuickSteps = "250,500,1000",
            FullSteps = "1000..5500/500,6000..50000/2000",
            FirstUsers = 5_500,
        },
        new()
        {
            Name = "users-high",
            Title = "High",
            StandsFor = "people who trade: screens with a hundred instruments that are updated all the time",
            Base = new() { Subjects = 10_000, SubjectRate = 0.5, Subscriptions = 100, Sources = 2 },
            QuickSteps = "100,250,500",
            FullSteps = "250..14000/250",
            BatchSteps = "1000..28000/1000",
            SizeSteps = "500..14000/500",
            FirstUsers = 2_000,
        },
        new()
        {
            Name = "users-very-high",
            Title = "Very High",
            StandsFor = "the busiest desks and programs that trade: a hundred instruments, each updated every second",
            Base = new() { Subjects = 20_000, SubjectRate = 1, Subscriptions = 100, Sources = 2 },
            QuickSteps = "100,200,400",
            FullSteps = "250..1000/250,1500..9000/500",
            BatchSteps = "1000..18000/1000",
            FirstUsers = 5_500,
        },
    ];

    /// <summary>The names of all classes, for people.</summary>
    public static string AllNames { get; } = string.Join(", ", All.Select(load => load.Name));

    /// <summary>Finds a class by its name; for another name creates one without data.</summary>
    public static UsersLoad Of(string name) => All.FirstOrDefault(load => load.Name == name)
        ?? new() { Name = name, Title = name, Base = new(), QuickSteps = "1", FullSteps = "1", FirstUsers = 0 };

    /// <summary>The sweeps of <c>--variants all</c>.</summary>
    public IReadOnlyList<string> OwnSweeps =>
        [.. BatchSteps is null ? [] : (string[])["burstMax=0,0.025,0.05,0.1"], .. SizeSteps is null ? [] : (string[])["size=108,162,216"]];

    /// <summary>The steps of a variant by its size of run.</summary>
    public string StepsOf(UsersParameters parameters, bool isFull) => (isFull, parameters) switch
    {
        (false, _) => QuickSteps,
        (_, { BurstMax: > 0 }) => BatchSteps ?? FullSteps,
        _ when parameters.Size != Base.Size => SizeSteps ?? FullSteps,
        _ => FullSteps,
    };
}
