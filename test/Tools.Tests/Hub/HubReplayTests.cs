using HubPerf;
using PerfCommon.Codec;
using PerfCommon.Tests;
using PerfCommon.Workers;
using Tools.Tests.Replay;
using Xunit;

namespace Tools.Tests.Hub;

/// <summary>Our hub in the place of the server of recorded connections.</summary>
[Trait("Category", "Vectors")]
public class HubReplayTests
{
    public static TheoryData<string> Publishers => ["niprov.json", "niprov-reactor.json", "c-niprov.json", "csharp-niprov.json"];

    public static TheoryData<string> Consumers => ["stubhub-cached-consumer.json", "stubhub-posting-consumer.json", "stubhub-temporary-images.json", "stubhub-uncached-closed.json"];

    [Theory]
    [MemberData(nameof(Publishers))]
    public void Publisher_Recorded_FillsTheCache(string file)
    {
        RecordedSession session = RecordedSession.Load(Path.Combine(VectorFiles.Copies("sessions"), file));
        Said[] sent = [.. session.Messages.Where(message => message.FromClient).Select(message => message.Said)];
        using LoopbackHub hub = new(new HubPerfOptions());
        using (ReplayPeer publisher = ReplayPeer.Connect(hub.ProviderPort))
        {
            Play(session, publisher, new List<Said>());
            int updates = sent.Count(said => said is { Class: MsgClass.Update, Domain: DomainType.MarketPrice });
            LoopbackHub.Until(() => hub.Count(Counter.UpdatesReceived) == updates, $"{hub.Count(Counter.UpdatesReceived)} of {updates} updates came");
        }

        Assert.Equal(sent.Count(said => said.IsImage), hub.Count(Counter.RefreshesReceived));
        Assert.Equal(0, hub.Count(Counter.MessagesDropped));
        LoopbackHub.Until(() => hub.Read(Gauge.Items) == sent.Where(said => said.IsImage).Select(said => said.Key).Distinct().Count(), "items are missing");
    }

    // The recorded hub had providers of its own; ours has the service, and every item in it is there and empty.
    [Theory]
    [MemberData(nameof(Consumers))]
    public void Consumer_Recorded_IsAnsweredOnEveryStream(string file)
    {
        RecordedSession session = RecordedSession.Load(Path.Combine(VectorFiles.Copies("sessions"), file));
        string[] names = [.. session.ItemRequests.Select(message => message.Said.Key)];
        using LoopbackHub hub = new(new HubPerfOptions { Services = [new OwnService("ANY", ServiceIdOf(session))] });
        List<Said> answers = [];
        using ReplayPeer consumer = ReplayPeer.Connect(hub.Port);
        Play(session, consumer, answers);

        Assert.NotEmpty(names);
        foreach (RecordedMessage request in session.ItemRequests)
        {
            Said image = Assert.Single(answers, said => said.IsImage && said.StreamId == request.Said.StreamId);
            Assert.Equal("Open/Ok/None", image.State);
            Assert.Equal(request.Said.Key, image.Key);
        }
    }

    private static ushort ServiceIdOf(RecordedSession session)
    {
        RwfMsg.TryDecode(session.ItemRequests.First().Bytes, out RwfMsg request);
        return request.Key.ServiceId;
    }

    // What the client said; whatever comes back is read in between: a step waits for the answers to the one before.
    private static void Play(RecordedSession session, ReplayPeer client, List<Said> answers)
    {
        MessageSplitter splitter = new(session.FragmentIdBytes);
        int items = 0;
        for (int i = 0; i < session.Frames.Count; i++)
        {
            RecordedFrame frame = session.Frames[i];
            if (!frame.FromClient)
                continue;
            client.Send(frame.Bytes);
            if (frame.IsHandshake)
            {
                if (session.Frames.Skip(i + 1).FirstOrDefault() is { FromClient: false, IsHandshake: true })
                    Assert.NotNull(client.ReadFrame());
                continue;
            }

            Said[] said = [.. session.Messages.Where(message => message.FromClient && message.Frame == i).Select(message => message.Said)];
            items += said.Count(one => one is { Class: MsgClass.Request, Domain: DomainType.MarketPrice });
            if (Array.Exists(said, one => one is { Class: MsgClass.Request, Domain: DomainType.Login or DomainType.Source }))
                Read(client, splitter, answers, answers.Count + 1);
        }

        while (answers.Count(said => said.IsImage) < items)
            Read(client, splitter, answers, answers.Count + 1);
    }

    private static void Read(ReplayPeer client, MessageSplitter splitter, List<Said> answers, int count)
    {
        while (answers.Count < count)
        {
            byte[]? frame = client.ReadFrame();
            Assert.NotNull(frame);
            answers.AddRange(splitter.Take(frame, number: 0).Select(message => Said.From(message.Message)));
        }
    }
}
