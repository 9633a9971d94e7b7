namespace PerfTools.Editions;

/// <summary>The origin of the program that plays a role.</summary>
internal enum Edition
{
    /// <summary>One of these tools, of this or another version.</summary>
    Ours,

    /// <summary>The transport API's tools in C.</summary>
    C,

    /// <summary>The transport API's tools in Java.</summary>
    Java,

    /// <summary>The transport API's tools in C#.</summary>
    CSharp,

    /// <summary>The message API's tools in C++.</summary>
    EmaCpp,

    /// <summary>The message API's tools in Java.</summary>
    EmaJava,

    /// <summary>The message API's tools in C#.</summary>
    EmaCSharp,
}

/// <summary>The differences between the programs of one edition and those of the others.</summary>
/// <remarks>Observed on running programs of release 2.1.2 and 3.0.3; docs/editions.md has the table for people.</remarks>
internal sealed record EditionFacts
{
    private const string Core = "one core";
    private const string Machine = "the machine";

    /// <summary>Every edition, ours first.</summary>
    public static IReadOnlyList<EditionFacts> All { get; } =
    [
        new() { Edition = Edition.Ours, Word = "ours", Title = "PerfTools", CpuScale = Machine },
        new() { Edition = Edition.C, Word = "c", Title = "the C edition", CpuScale = Core, ListsProcessors = true,
            WritesInBlocks = true, CountsToTheEnd = true },
        new() { Edition = Edition.Java, Word = "java", Title = "the Java edition", CpuScale = Core },
        new() { Edition = Edition.CSharp, Word = "csharp", Title = "the C# edition", CpuScale = Machine, HoldsRequestsBack = true, KeepsCoreBusy = true },
        new() { Edition = Edition.EmaCpp, Word = "ema-cpp", Title = "EMA C++", CpuScale = Core, IsEma = true, ListsProcessors = true, WritesInBlocks = true },
        new() { Edition = Edition.EmaJava, Word = "ema-java", Title = "EMA Java", CpuScale = Core, IsEma = true },
        new() { Edition = Edition.EmaCSharp, Word = "ema-csharp", Title = "EMA C#", CpuScale = Machine, IsEma = true },
    ];

    public required Edition Edition { get; init; }

    /// <summary>The word for it on the command line.</summary>
    public required string Word { get; init; }

    /// <summary>Its name inside a sentence.</summary>
    public required string Title { get; init; }

    /// <summary>The quantity of which its own CPU percentages are a share.</summary>
    public required string CpuScale { get; init; }

    /// <summary>True where ports and connections are set in EmaConfig.xml and not on the command line.</summary>
    public bool IsEma { get; init; }

    /// <summary>True where <c>-threads</c> is a list of processors (-1 for any) and not a count.</summary>
    public bool ListsProcessors { get; init; }

    /// <summary>True where console output into a pipe is block-buffered unless an option prevents it.</summary>
    public bool WritesInBlocks { get; init; }

    /// <summary>True where an interrupted provider counts up to its end; others print the figures of their last whole interval.</summary>
    public bool CountsToTheEnd { get; init; }

    /// <summary>True where a provider limits the requests that it answers per second: consumers must not request faster.</summary>
    public bool HoldsRequestsBack { get; init; }

    /// <summary>True where a program keeps a processor busy at any rate: its CPU use then does not show the cost of an update.</summary>
    public bool KeepsCoreBusy { get; init; }

    /// <summary>The facts of an edition.</summary>
    public static EditionFacts Of(Edition edition) => All.First(facts => facts.Edition == edition);

    /// <summary>The edition of a word; null for no such word.</summary>
    public static Edition? Find(string word) => All.FirstOrDefault(facts => facts.Word == word)?.Edition;
}
