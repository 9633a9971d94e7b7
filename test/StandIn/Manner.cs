namespace StandIn;

/// <summary>The behaviour of one edition's programs where editions differ.</summary>
internal sealed record Manner
{
    private static readonly Manner[] All =
    [
        new()
        {
            Word = "c", ListsProcessors = true, CpuFactor = 2, InterruptCode = 0, DiesOfTerm = true, AnswersAsC = true,
            Samples = "CPU/Memory samples", ImageRate = "Avg image rate", SteadyEnd = "Steady state time of {0} seconds has expired.", EndsWithPeer = true,
        },
        new() { Word = "java", HelpUsage = "Usage: ", Boolean = "false", CpuFactor = 2, InterruptCode = 130, IsStale = true, LatencyHeaderHasEmptyLine = true },
        new() { Word = "csharp", HelpUsage = "Usage: ", Boolean = "False", InterruptCode = 0, ConsumerDiesOfInterrupt = true, IsStale = true,
            DiesOfTerm = true, CpuLabel = "(%%)" },
        new() { Word = "ema-cpp", IsEma = true, ListsProcessors = true, CpuFactor = 2, InterruptCode = 0, AnswersAsC = true },
        new() { Word = "ema-java", IsEma = true, HelpUsage = "Usage: emaj", Boolean = "false", CpuFactor = 2, InterruptCode = 130, IsStale = true },
        new() { Word = "ema-csharp", IsEma = true, HelpUsage = "Usage: ", Boolean = "False", InterruptCode = 0, IsStale = true },
    ];

    public required string Word { get; init; }
    public bool IsEma { get; init; }
    public bool ListsProcessors { get; init; }

    /// <summary>The factor from our percent of CPU to the edition's: 1 where all processors are the whole, their number where one is.</summary>
    public int CpuFactor { get; init; } = 1;

    /// <summary>Its exit code when it is interrupted.</summary>
    public required int InterruptCode { get; init; }

    public bool ConsumerDiesOfInterrupt { get; init; }

    /// <summary>True when SIGTERM ends it without a word.</summary>
    public bool DiesOfTerm { get; init; }

    /// <summary>True when a provider that is interrupted prints what it had at its last interval.</summary>
    public bool IsStale { get; init; }

    /// <summary>True when its consumer ends soon after the provider.</summary>
    public bool EndsWithPeer { get; init; }

    public bool AnswersAsC { get; init; }
    public string HelpUsage { get; init; } = "";
    public string Boolean { get; init; } = "";
    public string Samples { get; init; } = "CPU/Memory Samples";
    public string ImageRate { get; init; } = "Avg image Rate";
    public string CpuLabel { get; init; } = "(%)";
    public string SteadyEnd { get; init; } = "Steady-state time of {0} seconds has expired.";
    public bool LatencyHeaderHasEmptyLine { get; init; }

    public static Manner? Find(string word) => Array.Find(All, manner => manner.Word == word);

    public int AnswerHelp(string tool)
    {
        if (AnswersAsC)
        {
            Console.WriteLine("Config Error: Unrecognized option: -help");
            Console.WriteLine($"Run './{tool} -?' to see usage.");
            return 255;
        }

        Console.WriteLine($"{HelpUsage}{tool} <Options>");
        Console.WriteLine("Valid Options:");
        Console.WriteLine($"  -busyRead  Busy reading. Default is:{Boolean}");
        return 0;
    }

    public int RefuseOption(string option)
    {
        if (AnswersAsC)
        {
            Console.WriteLine($"Config Error: Unrecognized option: {option}");
            return 255;
        }

        Console.Error.WriteLine("Error loading command line arguments:");
        Console.Error.WriteLine($"Unknown option: {option}");
        return 255;
    }
}
