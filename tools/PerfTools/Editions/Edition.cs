namespace PerfTools.Editions;

/// <summary>Whose program plays a role.</summary>
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

/// <summary>How the programs of an edition differ from those of the others.</summary>
/// <remarks>Seen at running programs of release 2.1.2 and 3.0.3; docs/editions.md has the table for people.</remarks>
internal sealed record EditionFacts
{
    private const string Core = "one core";
    private const string Machine = "the machine";

    /// <summary>Every edition, ours first.</summary>
    public static IReadOnlyList<EditionFacts> All { get; } =
    [
        new() { Edition = Edition.Ours, Word = "ours", Title = "PerfTools", CpuScale = Machine },
        new() { Edition = Edition.C, Word = "c", Title = "the C edition", CpuScale = Core, ListsProcessors = true, WritesInBlocks = true, CountsToTheEnd = true },
        new() { Edition = Edition.Java, Word = "java", Title = "the Java edition", CpuScale = Core },
        new() { Edition = Edition.CSharp, Word = "csharp", Title = "the C# edition", CpuScale = Machine, HoldsRequestsBack = true, KeepsCoreBusy = true },
        new() { Edition = Edition.EmaCpp, Word = "ema-cpp", Title = "EMA C++", CpuScale = Core, IsEma = true, ListsProcessors = true, WritesInBlocks = true },
        new() { Edition = Edition.EmaJava, Word = "ema-java", Title = "EMA Java", CpuScale = Core, IsEma = true },
        new() { Edition = Edition.EmaCSharp, Word = "ema-csharp", Title = "EMA C#", CpuScale = Machine, IsEma = true },
    ];

    public required Edition Edition { get; init; }

    /// <summary>Its word on the command line.</summary>
    public required string Word { get; init; }

    /// <summary>Its name within a sentence.</summary>
    public required string Title { get; init; }

    /// <summary>What its own CPU percentages are of.</summary>
    public required string CpuScale { get; init; }

    /// <summary>True where ports and connections stand in EmaConfig.xml and not on the command line.</summary>
    public bool IsEma { get; init; }

    /// <summary>True where <c>-threads</c> is a list of processors, -1 for any, and not a number.</summary>
    public bool ListsProcessors { get; init; }

    /// <summary>True where a pipe gets the console in blocks unless it is told otherwise.</summary>
    public bool WritesInBlocks { get; init; }

    /// <summary>True where a provider that is interrupted counts to its end; others print the figures of their last whole interval.</summary>
    public bool CountsToTheEnd { get; init; }

    /// <summary>True where a provider answers only so many requests a second: consumers must not ask faster.</summary>
    public bool HoldsRequestsBack { get; init; }

    /// <summary>True where a program keeps a processor busy at any rate: what an update costs cannot be told from that.</summary>
    public bool KeepsCoreBusy { get; init; }

    /// <summary>The facts of an edition.</summary>
    public static EditionFacts Of(Edition edition) => All.First(facts => facts.Edition == edition);

    /// <summary>The edition of a word; null for no such word.</summary>
    public static Edition? Find(string word) => All.FirstOrDefault(facts => facts.Word == word)?.Edition;
}
