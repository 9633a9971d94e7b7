using HubPerf;
using NIProvPerf;
using PerfCommon.Codec;
using PerfCommon.Tests;
using PerfCommon.Workers;
using PerfHub.Counting;
using Tools.Tests.Replay;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>Our hub in the place of the server of recorded connections.</summary>
[Trait("Category", "Vectors")]
[Trait("Category", "Fast")]
public class HubReplayTests
{
    public static TheoryData<string> Publishers => ["niprov.json", "niprov-reactor.json", "c-niprov.json", "csharp-niprov.json"];

    public static TheoryData<string> Consumers =>
        ["stubhub-cached-consumer.json", "stubhub-late-service.json", "stubhub-posting-consumer.json", "stubhub-temporary-images.json",
            "stubhub-uncached-closed.json"];

    [Theory]
    [MemberData(nameof(Publishers))]
    public void Publisher_Recorded_FillsTheCache(string file)
    {
        RecordedSession session = RecordedSession.Load(Path.Combine(VectorFiles.Copies("sessions"), file));
        Said[] sent = [.. session.Messages.Where(message => message.FromClient).Select(message => message.Said)];
        using LoopbackHub hub = new(new HubPerfOptions());
        using (ReplayPeer publisher = ReplayPeer.Connect(hub.ProviderPort))
        {
            Play(session, publisher);
            int updates = sent.Count(said => said is { Class: MsgClass.Update, Domain: DomainType.MarketPrice });
            LoopbackHub.Until(() => hub.Count(HubCounter.UpdatesReceived) == updates,
                $"{hub.Count(HubCounter.UpdatesReceived)} of {updates} updates came");
        }

        Assert.Equal(sent.Count(said => said.IsImage), hub.Count(Counter.RefreshesReceived));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped));
        LoopbackHub.Until(() => hub.Read(HubGauge.Items) == sent.Where(said => said.IsImage).Select(said => said.Key).Distinct().Count(),
            "items are missing");
    }

    [Theory]
    [MemberData(nameof(Consumers))]
    public void Consumer_Recorded_GetsWhatItGotThere(string file)
    {
        RecordedSession session = RecordedSession.Load(Path.Combine(VectorFiles.Copies("sessions"), file));
        string[] words = session.FindCommandLine(Roles.Publisher)
            ?? ["-serviceName", "TEST_FEED", "-updateRate", "0", "-latencyUpdateRate", "0"];
        using HubReplay replay = new(session, NIProvPerfOptionTable.Instance.Parse(words).Options!);
        replay.Run();
    }

    // What the client said; it waits for the answer to its login.
    private static void Play(RecordedSession session, ReplayPeer client)
    {
        for (int i = 0; i < session.Frames.Count; i++)
        {
            RecordedFrame frame = session.Frames[i];
            if (frame.FromClient)
                client.Send(frame.Bytes);
            else if (!frame.IsPing)
                Assert.NotNull(client.ReadFrame());
        }
    }
}
