using ConsPerf;
using NIProvPerf;
using PerfCommon.Tests;
using PerfTools.Hosting.CommandLine;
using ProvPerf;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Our programs in the place of one side of a recorded connection: they say what the recorded program said.</summary>
[Trait("Category", "Vectors")]
public sealed class SessionReplayTests
{
    public static TheoryData<string> ConsumerFiles => FilesOf(Roles.Consumer);

    public static TheoryData<string> ProviderFiles => FilesOf(Roles.Provider);

    // What a hub made of a publisher is played by HubReplayTests.
    public static TheoryData<string> PublisherFiles => new(FilesOf(Roles.Publisher).Select(row => row.Data).Where(file => Load(file).IsOfPublisher));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ConsumerFiles))]
    public void Consumer_RecordedServer_SaysTheSame(string file)
    {
        RecordedSession session = Load(file);
        new ConsumerReplay(session, Accept(ConsPerfOptionTable.Instance, session, Roles.Consumer)).Run();
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(ProviderFiles))]
    public void Provider_RecordedClient_AnswersTheSame(string file)
    {
        RecordedSession session = Load(file);
        new ProviderReplay(session, Accept(ProvPerfOptionTable.Instance, session, Roles.Provider)).Run();
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(PublisherFiles))]
    public void Publisher_RecordedServer_SaysTheSame(string file)
    {
        RecordedSession session = Load(file);
        new PublisherReplay(session, Accept(NIProvPerfOptionTable.Instance, session, Roles.Publisher)).Run();
    }

    [Fact]
    public void WaitingParts_OurCopies_AreThoseThatWait()
    {
        IEnumerable<WaitingPart> waiting = Directory.EnumerateFiles(VectorFiles.Copies("sessions")).SelectMany(WaitingOf);

        Assert.Equal(WaitingPart.All.Select(part => $"{part}").Order(StringComparer.Ordinal), waiting.Select(part => $"{part}").Order(StringComparer.Ordinal));
    }

    private static TheoryData<string> FilesOf(string role) => new(VectorFiles.Discover("sessions").Select(path => Path.GetFileName(path))
        .Where(file => Load(file).FindCommandLine(role) is not null));

    private static RecordedSession Load(string file) => RecordedSession.Load(Path.Combine(VectorFiles.Folder("sessions")!, file));

    // What the program cannot do yet is left out, the rest is played.
    private static T Accept<T>(OptionTable<T> table, RecordedSession session, string role)
        where T : class
    {
        ParsedCommandLine<T> parsed = Parse(table, session.FindCommandLine(role)!, out _);
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }

    private static ParsedCommandLine<T> Parse<T>(OptionTable<T> table, string[] words, out List<WaitingMatter> without)
        where T : class
    {
        without = [];
        ParsedCommandLine<T> parsed = table.Parse(words);
        while (parsed.Problem is not null && WaitingMatter.Find(parsed.Problem) is { } matter && !without.Contains(matter))
        {
            without.Add(matter);
            words = matter.Strip(words);
            parsed = table.Parse(words);
        }

        return parsed;
    }

    private static IEnumerable<WaitingPart> WaitingOf(string path)
    {
        RecordedSession session = RecordedSession.Load(path);
        return Name(Roles.Consumer, MattersOf(ConsPerfOptionTable.Instance, session.FindCommandLine(Roles.Consumer)))
            .Concat(Name(Roles.Provider, MattersOf(ProvPerfOptionTable.Instance, session.FindCommandLine(Roles.Provider))))
            .Concat(Name(Roles.Publisher, MattersOf(NIProvPerfOptionTable.Instance, session.FindCommandLine(Roles.Publisher))));

        IEnumerable<WaitingPart> Name(string role, List<WaitingMatter> matters) =>
            matters.Select(matter => new WaitingPart(Path.GetFileName(path), role, matter));
    }

    private static List<WaitingMatter> MattersOf<T>(OptionTable<T> table, string[]? words)
        where T : class
    {
        if (words is null)
            return [];
        Parse(table, words, out List<WaitingMatter> without);
        return without;
    }
}
