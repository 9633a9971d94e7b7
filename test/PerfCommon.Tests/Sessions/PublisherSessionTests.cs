using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

public class PublisherSessionTests
{
    [Fact]
    public void Login_Accepted_DirectoryThenEveryImageThenUpdates()
    {
        using PublisherPair pair = new(new HubPeer());
        pair.Until(() => pair.Hub.Updates > 100);
        pair.End();

        Assert.Equal((LoginRole.Provider, false), (pair.Hub.Publisher!.Role, pair.Hub.Publisher.SingleOpen));
        Assert.Equal([-1], pair.Hub.Directories);
        Assert.Equal(("NI_PUB", (ushort)1, true, null),
            (pair.Hub.Service.Name, pair.Hub.Service.Id, pair.Hub.Service.IsReady, pair.Hub.Service.OpenLimit));
        Assert.Equal([("RDT1", -6), ("RDT2", -7), ("RDT3", -8)], pair.Hub.Images);
        Assert.Empty(pair.Hub.Faults);
        Assert.Null(pair.Publisher.Failure);
        Assert.Equal(pair.Client.Recording.Counters[Counter.UpdatesSent], pair.Hub.Updates);
        Assert.Equal(3, pair.Client.Recording.Counters[Counter.RefreshesSent]);
        Assert.Equal(0, pair.Client.Recording.Counters[Counter.RefreshesNotSent]);
    }

    [Fact]
    public void Login_WithoutAnIdentity_IsThatOfThisProcessAsAProvider()
    {
        using PublisherPair pair = new(new HubPeer(), PublisherPair.Items(1) with { Identity = null });
        pair.Until(() => pair.Hub.Publisher is not null);
        Assert.Equal((LoginRole.Provider, Environment.UserName, AppDomain.CurrentDomain.FriendlyName),
            (pair.Hub.Publisher!.Role, pair.Hub.Publisher.UserName, pair.Hub.Publisher.ApplicationName));
    }

    [Fact]
    public void Login_Refused_StaysConnectedAndSilentAndSaysSo()
    {
        using PublisherPair pair = new(new HubPeer { Refusal = "Login denied" });
        pair.Until(() => pair.Publisher.Stage == PublisherStage.Rejected);
        Pump(pair);

        Assert.Null(pair.Publisher.Closed);
        Assert.Contains("Login denied", pair.Publisher.Refusal, StringComparison.Ordinal);
        Assert.Contains(SessionPair.Notices(pair.Client),
            line => line.EndsWith("staying connected without sending anything.", StringComparison.Ordinal));
        pair.End();
        Assert.Empty(pair.Hub.Faults);
        Assert.Null(pair.Publisher.Failure);
        Assert.Equal(0, pair.Client.Recording.Counters[Counter.RefreshesNotSent]); // none was ever due
    }

    [Fact]
    public void Login_AcceptedAfterARefusal_Publishes()
    {
        using PublisherPair pair = new(new HubPeer { Refusal = "Not now" });
        pair.Until(() => pair.Publisher.Stage == PublisherStage.Rejected);
        pair.Hub.Refusal = null;
        pair.Hub.AnswerLogin();
        pair.Until(() => pair.Hub.Updates > 0);

        Assert.Equal(3, pair.Hub.Images.Count);
        Assert.Null(pair.Publisher.Refusal);
        pair.End();
        Assert.Empty(pair.Hub.Faults);
    }

    [Fact]
    public void Login_TakenBack_SendsNoMore()
    {
        using PublisherPair pair = new(new HubPeer());
        pair.Until(() => pair.Hub.Updates > 0);
        pair.Hub.Refusal = "Expired";
        pair.Hub.AnswerLogin();
        pair.Until(() => pair.Publisher.Stage == PublisherStage.Rejected);
        Pump(pair); // messages that were queued before are sent
        long sent = pair.Client.Recording.Counters[Counter.UpdatesSent];
        Pump(pair);

        Assert.False(pair.Publisher.TrySendUpdate(0, SessionSamples.Messages.Updates[0]));
        pair.End();
        Assert.Equal(sent, pair.Client.Recording.Counters[Counter.UpdatesSent]);
        Assert.Null(pair.Publisher.Failure);
    }

    [Fact]
    public void Message_NobodyAskedFor_IsCountedAndSaidOnce()
    {
        using PublisherPair pair = new(new HubPeer());
        pair.Until(() => pair.Publisher.Stage == PublisherStage.Publishing);
        for (int i = 0; i < 3; i++)
            pair.Hub.Say(Wire.Encode(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = -6 }));
        pair.Until(() => pair.Client.Recording.Counters[Counter.MessagesDropped] == 3);

        Assert.Single(SessionPair.Notices(pair.Client), line => line.StartsWith("Ignored an unexpected Close", StringComparison.Ordinal));
        Assert.Null(pair.Publisher.Failure);
    }

    [Fact]
    public void Message_ThatIsNone_EndsTheConnection()
    {
        using PublisherPair pair = new(new HubPeer());
        pair.Until(() => pair.Publisher.Stage == PublisherStage.Publishing);
        pair.Hub.Say([1, 2, 3]);
        pair.Until(() => pair.Publisher.Closed is not null);

        Assert.Equal("the hub sent a message that cannot be decoded", pair.Publisher.Failure);
    }

    [Fact]
    public void Hub_Ends_IsAFailure()
    {
        using PublisherPair pair = new(new HubPeer());
        pair.Until(() => pair.Hub.Updates > 0);
        pair.Server.RequestEnd();
        pair.Until(() => pair.Publisher.Closed is not null);

        Assert.StartsWith("connection lost", pair.Publisher.Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void Pack_LargerThanAgreed_IsAFailureBeforeTheLogin()
    {
        using PublisherPair pair = new(new HubPeer(), PublisherPair.Items(3) with { MaxPackCount = 2, PackBufferBytes = 100_000 });
        pair.Until(() => pair.Publisher.Closed is not null);

        Assert.StartsWith("packs of 100000 bytes are more than", pair.Publisher.Failure, StringComparison.Ordinal);
        Assert.Null(pair.Hub.Publisher);
    }

    [Theory]
    [InlineData(0, new[] { "RDT1", "RDT2", "RDT3" })]
    [InlineData(1, new[] { "RDT1", "RDT4" })]
    public void Items_OfAPart_AreItsOwn(int part, string[] names)
    {
        ItemPartition partition = new(itemCount: 5, threadCount: 2, commonItemCount: 1);
        using PublisherPair pair = new(new HubPeer(), PublisherPair.Items(9) with { Partition = partition, Part = part });
        pair.Until(() => pair.Hub.Images.Count == names.Length);

        Assert.Equal(names.Select((name, i) => (name, -6 - i)), pair.Hub.Images);
        Assert.Equal(names.Length, pair.Publisher.ItemCount);
        pair.Until(() => pair.Publisher.UpdatingItems == names.Length && pair.Hub.Updates > 0);
    }

    [Fact]
    public void Packed_ManyItems_AllArriveInOrder()
    {
        using PublisherPair pair = new(new HubPeer(), PublisherPair.Items(2_000) with { MaxPackCount = 10, RefreshBurstSize = 1 });
        pair.Until(() => pair.Hub.Images.Count == 2_000 && pair.Hub.Updates > 1_000);
        pair.End();

        Assert.Equal(Enumerable.Range(0, 2_000).Select(i => ($"RDT{i + 1}", -6 - i)), pair.Hub.Images);
        Assert.Equal(pair.Client.Recording.Counters[Counter.UpdatesSent], pair.Hub.Updates);
        Assert.Equal(pair.Client.Recording.Counters[Counter.UpdateStampsSent], pair.Hub.Stamped);
        Assert.Empty(pair.Hub.Faults);
    }

    private static void Pump(PublisherPair pair)
    {
        for (int i = 0; i < 500; i++)
            pair.Turn();
    }
}
