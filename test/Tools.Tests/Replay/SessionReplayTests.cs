using ConsPerf;
using PerfCommon.Tests;
using PerfTools.Hosting.CommandLine;
using ProvPerf;
using Xunit;

namespace Tools.Tests.Replay;

/// <summary>Our programs in the place of one side of a recorded connection: they say what the recorded program said.</summary>
[Trait("Category", "Vectors")]
public sealed class SessionReplayTests
{
    public static TheoryData<string> Files => new(VectorFiles.Discover("sessions").Select(path => Path.GetFileName(path)));

    public static TheoryData<string> PublisherFiles => new(Files.Select(row => row.Data).Where(file => Load(file).PublisherOptions is not null));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void Consumer_RecordedServer_SaysTheSame(string file)
    {
        RecordedSession session = Load(file);
        new ConsumerReplay(session, Parse(ConsPerfOptionTable.Instance, session.ConsumerOptions, "consumer")).Run();
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void Provider_RecordedClient_AnswersTheSame(string file)
    {
        RecordedSession session = Load(file);
        new ProviderReplay(session, Parse(ProvPerfOptionTable.Instance, session.ProviderOptions, "provider")).Run();
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(PublisherFiles))]
    public void Publisher_RecordedServer_SaysTheSame(string file) => Assert.Skip($"{file}: the niprovider, NIProvPerf, is not built yet");

    private static RecordedSession Load(string file) => RecordedSession.Load(Path.Combine(VectorFiles.Folder("sessions")!, file));

    private static T Parse<T>(OptionTable<T> table, string? line, string role)
        where T : class
    {
        Assert.SkipWhen(line is null, $"the recording has no options of a {role}");
        ParsedCommandLine<T> parsed = table.Parse(OptionLines.Words(line!));
        Assert.SkipWhen(parsed.Problem is not null, $"refused by our option table: {parsed.Problem}");
        return parsed.Options!;
    }
}
