using ConsPerf;
using NIProvPerf;
using PerfCommon.Tests;
using PerfTools.Hosting.CommandLine;
using ProvPerf;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Our programs in the place of one side of a recorded connection: they say what the recorded program said.</summary>
[Trait("Category", "Vectors")]
[Trait("Category", "Fast")]
public sealed class SessionReplayTests
{
    public static TheoryData<string> ConsumerFiles => FilesOf(Roles.Consumer);

    public static TheoryData<string> ProviderFiles => FilesOf(Roles.Provider);

    // What a hub made of a publisher is played by HubReplayTests.
    public static TheoryData<string> PublisherFiles =>
        new(FilesOf(Roles.Publisher).Select(row => row.Data).Where(file => Load(file).IsOfPublisher));

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

    private static TheoryData<string> FilesOf(string role) => new(VectorFiles.Discover("sessions").Select(path => Path.GetFileName(path))
        .Where(file => Load(file).FindCommandLine(role) is not null));

    private static RecordedSession Load(string file) => RecordedSession.Load(Path.Combine(VectorFiles.Folder("sessions")!, file));

    private static T Accept<T>(OptionTable<T> table, RecordedSession session, string role)
        where T : class
    {
        ParsedCommandLine<T> parsed = table.Parse(session.FindCommandLine(role)!);
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }
}
