using System.Globalization;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>Requests that list many items.</summary>
public class ProviderBatchTests
{
    private const string End = "Status 30 Closed/NoChange/None \"Stream closed for batch\"";

    [Fact]
    public void Batch_ThreeItems_OpensEachOnAStreamOfItsOwn()
    {
        using ProviderConversation talk = new();
        talk.Say(Wire.Encode(Batch(["A", "B", "C"], out byte[] _)));
        talk.Ask(40, "D"); // the request after it is read, too
        talk.UntilAnswers(5);

        Assert.Equal(["Refresh 31 Open A", "Refresh 32 Open B", "Refresh 33 Open C", "Refresh 40 Open D", End], talk.Answers.Order());
        Assert.Equal((4, 4L), (talk.Provider.OpenItems, talk.Counters[Counter.RequestsReceived]));
    }

    [Fact]
    public void Batch_ItemsAgainstARule_RefusesThoseAlone()
    {
        using ProviderConversation talk = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 3 } });
        talk.Ask(6, "B");
        talk.Ask(32, "X");
        talk.UntilAnswers(2);
        talk.Answers.Clear();
        talk.Say(Wire.Encode(Batch(["A", "Y", "B", "C"], out byte[] _)));
        talk.UntilAnswers(5);

        Assert.Equal(
            ["Refresh 31 Open A", End,
            "Status 32 ClosedRecover/Suspect/TooManyItems \"Item request rejected for stream id 32 - item count reached for this channel\"",
            "Status 33 ClosedRecover/Suspect/TooManyItems \"Item request rejected for stream id 33 - item count reached for this channel\"",
            "Status 34 ClosedRecover/Suspect/TooManyItems \"Item request rejected for stream id 34 - item count reached for this channel\""],
            talk.Answers.Order());
    }

    [Fact]
    public void Batch_OfSnapshots_ClosesEachBehindItsImage()
    {
        using ProviderConversation talk = new();
        talk.Say(Wire.Encode(Batch(["A", "B"], out byte[] _, flags: 0)));
        talk.UntilAnswers(3);
        Assert.Equal(["Refresh 31 NonStreaming A", "Refresh 32 NonStreaming B", End], talk.Answers.Order());
        Assert.Equal(0, talk.Provider.OpenItems);
    }

    [Fact]
    public void Batch_MoreItemsThanAreOpenedAtOnce_OpensAllInOrder()
    {
        const int Items = 2_500;
        using ProviderConversation talk = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 0 } });
        string[] names = [.. Enumerable.Range(1, Items).Select(i => i.ToString(CultureInfo.InvariantCulture))];
        talk.Say(EncodeLong(names));
        talk.Ask(6, "after");
        talk.UntilAnswers(Items + 2);

        Assert.Equal(names.Select((name, i) => $"Refresh {31 + i} Open {name}"),
            talk.Answers.Where(answer =>
                answer.StartsWith("Refresh", StringComparison.Ordinal) && !answer.EndsWith("after", StringComparison.Ordinal)));
        Assert.Contains(End, talk.Answers);
        Assert.Contains("Refresh 6 Open after", talk.Answers);
    }

    [Fact]
    public void Batch_OfRefusedItems_KeepsNoMoreAnswersThanMayWait()
    {
        const int Items = 20_000;
        using ProviderConversation talk = new(SessionSamples.Provider with { Service = SessionSamples.Service with { OpenLimit = 1 } });
        talk.Say(EncodeLong([.. Enumerable.Repeat("A", Items)]));
        talk.UntilAnswers(Items + 1);
        Assert.Equal((Items, Items - 1L), (talk.Counters[Counter.RequestsReceived], talk.Counters[Counter.RequestsRejected]));
        Assert.Equal(End, talk.Answers.Single(answer => answer.StartsWith("Status 30 ", StringComparison.Ordinal)));
    }

    [Fact]
    public void Batch_EveryLengthOfItsList_EndsTheConnectionOrAnswers()
    {
        RwfMsg batch = Batch(["A", "BB"], out byte[] list);
        for (int length = 0; length < list.Length; length++)
        {
            using ProviderConversation talk = new();
            batch.Payload = list.AsSpan(0, length);
            talk.Say(Wire.Encode(batch));
            talk.Until(() =>
                talk.Closed is not null || talk.Answers.Any(answer => answer.StartsWith("Status 30 ", StringComparison.Ordinal)));
        }
    }

    [Fact]
    public void Login_Refresh_AnnouncesBatches() =>
        Assert.Equal(5UL, LoginOffer.OfThisProcess().SupportBatchRequests);

    private static RwfMsg Batch(string[] names, out byte[] list, int flags = RequestFlags.Streaming) =>
        TalkingPeer.Batch(30, SessionSamples.Service.Id, names, out list, flags);

    private static byte[] EncodeLong(string[] names)
    {
        RwfMsg batch = Batch(names, out byte[] list);
        byte[] room = new byte[list.Length + 200];
        RwfWriter writer = new(room);
        Assert.True(writer.TryWriteHeader(batch) && writer.WriteRaw(list));
        return room[..writer.Written];
    }
}
