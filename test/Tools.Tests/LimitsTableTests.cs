using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using PerfCommon.Transport;
using Xunit;

namespace Tools.Tests;

/// <summary>
/// docs/limits.md row by row: its options and defaults are those of the tools, its constants those of the sources, and a test goes beyond each. Servers are
/// run with limits set low.
/// </summary>
public sealed partial class LimitsTableTests
{
    private static readonly string[] Columns = ["what", "default", "scope", "option", "beyond it"];

    // A new row needs a line here.
    private static readonly LimitCase[] Cases =
    [
        new("time for a handshake", "ChannelTimerTests.OnTimer_HandshakeNeverEnds_Closes") { Options =
            ["ProvPerf -handshakeTimeout 10", "HubPerf -handshakeTimeout 10", "TransportPerf -handshakeTimeout 10", "ConsPerf -handshakeTimeout 10"] },
        new("connections whose handshake", "UnfinishedHandshakeTests.AcceptAsync_SilentSocketsUpToTheLimit_TheOldestMakesRoom") { Options =
            ["ProvPerf -maxHandshakes", "HubPerf -maxHandshakes", "TransportPerf -maxHandshakes"] },
        new("connections |", "HubLossTests.Connections_MoreThanAllowed_AreRefusedOnEachFaceByItself") { Options =
            ["ProvPerf -maxConnections 1024", "HubPerf -maxConnections 20000", "TransportPerf -maxConnections 1024"] },
        new("bytes of a frame", "BadInputVectorTests.TryRead_BadInput_DoesWhatIsRequired") { Options = ["ProvPerf -maxFragmentSize"] },
        new("bytes of a body that is inflated", "ZlibBodyTests.Inflate_MoreThanRoom_FailsForGood") { Options = ["ProvPerf -maxFragmentSize"] },
        new("bytes of a message in fragments", "ReassemblyLimitTests.TryRead_MoreBytesThanAllowed_Closes") { Options =
            ["ProvPerf -maxMessageSize 16777216", "ConsPerf -maxMessageSize 16777216", "UsersPerf -maxMessageSize 1048576"] },
        new("arrays of messages", "ReassemblyLimitTests.TryRead_LongMessagesBegunAgain_CountsWhatIsKept") { Options =
            ["ProvPerf -reassemblyLimit 67108864", "ConsPerf -reassemblyLimit 67108864", "UsersPerf -reassemblyLimit 1048576"] },
        new("messages that are not whole", "ReassemblyLimitTests.TryRead_ManyOpenMessages_ClosesAboveTheLimit") { Constants = ["FragmentTable.MaxOpen 64 64"] },
        new("head of a WebSocket request", "WebSocketPipeTests.Open_EndlessRequest_EndsAtItsLimit") { Constants =
            ["WebSocketUpgrade.LongestHead 32768 32 KB"] },
        new("head of a proxy", "ProxyPipeTests.Open_EndlessHead_EndsAtItsLimit") { Constants = ["ProxyPipe.LongestHead 16384 16 KB"] },
        new("pongs that wait", "BoundedTurnTests.TryRead_PingsWhosePongsAreNotRead_KeepsSoManyOfThem") { Constants =
            ["WebSocketPipe.MostWaitingPongBytes 16384 16 KB"] },
        new("frames without a message", "BoundedTurnTests.TryRead_EndlessFramesWithoutAMessage_ReturnsAndGoesOnNextTurn")
        {
            Constants = ["FrameReader.MaxFramesPerLook 1024 1,024 frames", "RsslChannel.MaxBytesPerRead 262144 256 KB",
                "TlsPipe.MaxRecordsPerCall 256 256 records", "WebSocketPipe.MaxStepsPerCall 4096 2,048 frames"],
        },
        new("messages read at a time", "WorkerTests.Turn_MoreMessagesThanOneTurnTakes_LeavesTheRestToTheNext") { Constants =
            ["Connection.MaxBytesPerTurn 1048576 1 MB"] },
        new("output buffers", "ChannelWritingTests.TryBeginMessage_OutputBuffersInUse_RefusesUntilFramesLeft") { Options =
            ["ProvPerf -outputBufs", "ConsPerf -outputBufs"], Constants = ["BurstPlan.CarriedShareOfSecond 10 100 ms"] },
        new("answers that wait for a peer", "ProviderBatchTests.Batch_OfRefusedItems_KeepsNoMoreAnswersThanMayWait") { Constants =
            ["ReplyQueue.MaxWaiting 1000 1,000", "ReplyQueue.MaxWaitingBytes 1048576 1 MB"] },
        new("directories that answer", "HubServicesTests.Directory_AskedForOverAndOver_IsAnsweredSomeTimesATurn") { Constants =
            ["ServerSession.MaxAnsweredPerTurn 262144 256 KB"] },
        new("dictionary answers", "ReplyQueueTests.DictionaryReplies_AsManyAsMayWait_AreFullUntilOneWasSent") { Constants =
            ["DictionaryReplies.MaxWaiting 64 64"] },
        new("bytes that wait for a consumer of HubPerf", "HubImagesTests.Requested_ReaderStopped_QueueIsBoundedAndUpdatesFollowTheirImages") { Options =
            ["HubPerf -maxQueue", "HubPerf -slow"], Constants = ["HubSession.PatienceQueues 8 8 times"] },
        new("bytes of conflated", "HubFloodTests.ConflatedUpdates_OfManyItems_TakeSoMuchAndThenAreGotByImage") { Options = ["HubPerf -maxQueue"] },
        new("fields of an item", "HubCacheWorkTests.Image_MoreFieldsThanAreKept_HasThoseThatCameFirstAndCountsTheRest") { Options =
            ["HubPerf -maxFields 2048"] },
        new("images of an item without", "HubUnwantedTests.Images_OfAPublisherThatLeft_AreKeptForSoLong") { Options = ["HubPerf -keepImages 60"] },
        new("services of a source", "HubServicesTests.Directory_OfManyServices_IsTakenUpToAThousandAndToldOnce") { Constants =
            ["DirectoryListing.MaxServices 1000 1,000", "DirectoryListing.MaxInfoBytes 32768 32 KB"] },
        new("services of HubPerf", "ServiceTableTests.AllIds_Taken_TheNextServiceIsRefusedAtOnce") { Constants =
            ["ServiceTable.MaxListedBytes 12582912 12 MB"] },
        new("services without source", "ServiceTableTests.Service_WhoseProvidersLeft_GoesWithTheLastThreadThatHasItems") { Constants =
            ["ServiceTable.LingerNanos 2000000000 2 s"] },
        new("directories sent", "HubServicesTests.Directory_ThatChangesWithoutEnd_IsToldNowAndThen") { Constants = ["Announcer.PauseNanos 100000000 100 ms"] },
        new("image of a domain that HubPerf", "HubPassingKeptTests.Published_LargerThanIsKept_PassesAndIsNotKept") { Constants =
            ["PassThroughStream.MaxImageBytes 16777216 16 MB"] },
        new("request for an item of such a domain", "HubPassingKeptTests.Request_LargerThanIsPassed_IsRejected") { Constants =
            ["PassThroughStream.MaxRequestBytes 65536 64 KB"] },
        new("requests of a consumer", "HubFloodTests.Reissues_WithoutEnd_AreReadNoFasterThanTheyAreAnswered") { Constants =
            ["ConsumerRequests.MaxRequested 2000 2,000", "ConsumerRequests.RequestShareBytes 2048 2 KB"] },
        new("posts of a consumer", "HubFloodTests.Posts_ThatASourceNeverAcknowledges_WaitSoManyAndGoWithTheirPoster") { Constants =
            ["PendingPosts.MaxOfConnection 10000 10,000"] },
        new("large messages", "HubFloodTests.LargeRecords_BesideARing_WaitSoMuchAndNoMore") { Constants =
            ["LargeRecords.MaxBytes 16777216 16 MB", "ByteRing.MaxRecordBytes 98304 96 KB"] },
        new("streams closed at a time", "HubClosingTests.Consumer_OfManyItemsThatLeaves_HasThemClosedSomeInEachTurn") { Constants =
            ["ConsumerTable.MaxClosedPerTurn 1024 1,024", "ItemMover.MaxMovesPerTurn 256 256"] },
        new("updates that wait for others in HubPerf", "PendingUpdatesTests.Keep_MoreThan64Megabytes_IsSaidToBeLarge") { Options = ["HubPerf -burstMax"],
            Constants = ["PendingUpdates.LargeBytes 67108864 64 MB"] },
        new("orders of a book", "HubCacheWorkTests.Book_OrdersThatGrowBeyondIt_StayAsTheyAre") { Constants =
            ["CachedBook.MaxOrders 65535 65,535", "CachedBook.MaxImageBytes 12582912 12 MB"] },
        new("images that are due", "ProviderItemsTests.IsFull_AsManyImagesAsMayBeDue_UntilOneWasSent") { Constants =
            ["ProviderItems.MaxRefreshesDue 100000 100,000"] },
        new("names of the items", "ProviderItemsTests.HasRoomFor_LongNames_EndsAtTheBytesThatAreKept") { Constants =
            ["ProviderItems.MaxNameBytesKept 33554432 32 MB"] },
        new("different views", "ProviderViewTests.Views_MoreThanAreKept_GetAllFields") { Constants = ["ItemViews.MaxViews 256 256"] },
        new("services for which a consumer", "StandbyPartsTests.Set_MoreServicesThanAreKept_StayActive") { Constants = ["StandbyParts.MaxServices 64 64"] },
        new("items of a batch request", "ProviderBatchTests.Batch_MoreItemsThanAreOpenedAtOnce_OpensAllInOrder") { Constants =
            ["ProviderSession.BatchItemsAtOnce 1000 1,000"] },
        new("a request before the login", "ProviderRequestTests.Request_BeforeTheLogin_EndsTheConnectionWithTheReason") { Options =
            ["ProvPerf -loginOptional"] },
        new("dictionaries that a client downloads", "ClientLimitsTests.Dictionary_TablesWithoutEnd_IsRefusedBeforeItTakesMuch") { Constants =
            ["DictionaryPartReader.MaxKeptBytes 67108864 64 MB", "DictionaryPartReader.MaxTextBytes 255 255 bytes"] },
        new("time for that download", "ConsumerSessionTests.StartUp_DictionaryNeverComes_UsesTheFallbackAfterFiveSeconds") { Constants =
            ["ConsumerSession.DictionaryLimitNanos 5000000000 5 s"] },
        new("probes of the clock answered", "ClockProberTests.Answers_MoreThanAllowedInASecond_AreDropped") { Constants =
            ["ClockPort.MaxMessagesPerSecond 5000 5,000"] },
        new("connections for probes of the clock", "ClockProberTests.Connections_MoreThanAllowed_AreClosed") { Constants =
            ["ClockPort.MaxConnections 16 16", "ClockPort.IdleMillis 30000 30 s"] },
        new("probes and answers of a clock that rank 0", "ClockRelayTests.Messages_MoreThanAllowedInASecond_AreDropped") { Constants =
            ["ClockPort.MaxMessagesPerSecond 5000 5,000", "ProbeSenders.Max 64 64"] },
        new("connections to the port of metrics", "ControlListenerTests.Connections_BeyondTheLimit_WaitAndCostNothing") { Constants =
            ["ControlListener.MaxConnections 64 64", "ControlListener.ShareOfFiles 8 an eighth"] },
        new("time for a request on it", "ControlListenerTests.Connection_WithoutAWholeRequest_IsClosedAfterItsTime") { Constants =
            ["ControlListener.HeadLimit 00:00:05 5 s for its head", "ControlListener.BodyLimit 00:00:03 3 s for its body",
                "ControlListener.ReplyLimit 00:00:05 5 s until"] },
        new("bytes of such a request", "HttpRequestReaderTests.Advance_HeadWithoutEnd_IsRefusedAtTheLimit") { Constants =
            ["HttpRequestReader.MaxHeadBytes 8192 8 KB", "ControlRequest.MaxBodyBytes 4096 4,096"] },
        new("such requests answered", "ControlListenerTests.Post_ByManyAtOnce_TakesEveryOne") { Constants =
            ["ControlListener.AtATime 8 8 in", "ControlListener.Rest 00:00:00.0100000 10 ms"] },
        new("names of other services", "ClientLimitsTests.Directory_OtherServices_AreKeptUpToNine") { Constants =
            ["DirectoryConsumer.MaxNamesShown 8 9", "PrintableText.MaxChars 128 128"] },
        new("name of a service", "ClientLimitsTests.Directory_NameOfAService_HasAtMost255Bytes") { Constants = ["ServiceEntry.MaxNameBytes 255 255"] },
        new("directory of a source", "ClientLimitsTests.Directory_ServicesWithoutEnd_EndTheConnection") { Constants =
            ["DirectoryListing.MaxKeptBytes 16777216 16 MB"] },
        new("groups of items", "ItemGroupsTests.Join_MoreGroupsThanAreKept_IsInNone") { Constants = ["ItemGroups.MaxKeptBytes 1048576 1 MB"] },
        new("open items of a connection", "ProviderRequestTests.OpenLimit_Reached_RefusesUntilAnItemIsClosed") { Options =
            ["ProvPerf -openLimit 1000000", "HubPerf -openLimit 1000000"] },
        new("nesting of an EMA", "EmaConfigFileTests.File_NestedDeeply_IsRefusedWithoutATreeOfIt") { Constants =
            ["EmaConfigFile.MaxDepth 32 32 elements", "EmaConfigFile.MaxBytes 4194304 4 MB"] },
        new("connections to a publisher of LatencyPerf", "UnknownPeersTests.FindOverdue_OneOfTheMostThereMayBe_HasASecond") { Constants =
            ["UnknownPeers.Max 64 64", "UnknownPeers.MaxNanos 10000000000 10 s", "UnknownPeers.MinNanos 1000000000 a second"] },
        new("bytes that such a connection", "StrangersOnLinksTests.TryReceive_BytesOfNoTest_CloseTheirConnectionAlone") { Constants =
            ["StreamConnection.StrangerBufferBytes 384 384"] },
        new("answers that wait for such", "StrangersOnLinksTests.Send_ToAStrangerThatReadsNothing_ClosesIt"),
        new("datagrams that a subscriber", "DeliveryTests.StrictArrivals_DatagramsBeyondTheWindow_AreNotHeld") { Constants = ["Windows.Max 1024 1,024"] },
        new("a datagram that such", "DeliveryTests.Strict_NacksWithoutEnd_BringEachDatagramOnceInFourMillis"),
        new("silence of a subscriber", "RendezvousTests.Tick_OneThatIsGone_FreesItsPlaceForAnother") { Constants =
            ["PublisherRendezvous.SilenceNanos 3000000000 3 s"] },
        new("lines about subscribers", "RendezvousTests.IsNews_OfThousandsOfAddresses_IsSaidOf192") { Constants = ["RendezvousRefusals.MaxReported 192 192"] },
        new("log-ins of UsersPerf", "UserLoginTests.Reasons_Many_AreKeptInPartAndAddUp") { Constants = ["LoginRetries.MaxReasons 8 8 different"] },
        new("silence, or", "ChannelTimerTests.OnTimer_SilentPeer_ClosesAfterTheTimeout") { Options =
            ["ProvPerf -pingTimeout", "ConsPerf -pingTimeout", "HubPerf -pingTimeout", "TransportPerf -pingTimeout"] },
        new("lines about a connection", "NoticeGateTests.TryPass_OneSentenceTooOften_IsRepeatedSoManyTimes") { Constants =
            ["Connection.NoticesPerSecond 10 10 a second"] },
        new("lines about all", "NoticeGateTests.TryPass_OneSentenceTooOften_IsRepeatedSoManyTimes") { Constants =
            ["NoticeBoard.NoticesPerSecond 50 50 a second"] },
        new("text of a peer", "PrintableTextTests.From_LongText_IsCut") { Constants = ["PrintableText.MaxChars 128 128"] },
        new("our own bytes", "WorkerClockTests.RequestEnd_PeerNeverEnds_IsCutAfterThreeSeconds") { Constants =
            ["Connection.DrainNanos 3000000000 3 s", "RsslChannel.ClosingNanos 3000000000 3 s"] },
        new("memory of the process", "OutputTests.Hub_MemoryAtItsLimit_LeavesItsResults") { Constants = ["MemoryUse.Nearly 0.9 nine tenths"] },
        new("the same of HubPerf", "HubMemoryTests.Memory_NearlyUsedUp_TheGreatestIsClosedAndTheOthersGoOn") { Constants = ["HubMemory.Tight 0.85 85 %"] },
    ];

    private static readonly Lazy<string[]> TestSources = new(() =>
        [.. Directory.GetFiles(Path.Combine(RepositoryRoot.FullPath, "test"), "*.cs", SearchOption.AllDirectories)]);

    public static TheoryData<string> Rows => [.. ReadRows()];

    [Fact]
    public void Table_HasItsColumns() => Assert.Equal(Columns, Cells(ReadTable()[0]));

    [Theory, MemberData(nameof(Rows))]
    public void Row_NamesOptionDefaultScopeAndWhatIsBeyond_AsItIs(string row)
    {
        string[] cells = Cells(row);
        Assert.Equal(Columns.Length, cells.Length);
        Assert.DoesNotContain("", cells);
        LimitCase shown = Assert.Single(Cases, one => $"{cells[0]} |".StartsWith(one.Row, StringComparison.Ordinal));
        Assert.Null(shown.FindWrongOption());
        Assert.Null(shown.FindWrongConstant(row));
        Assert.Equal(OptionName().Matches(cells[3]).Select(match => match.Groups[1].Value).Except(["-slow", "-highWaterMark", "-maxOutputBufs", "-window"]),
            shown.Options.Select(option => option.Split(' ')[1]).Distinct().Except(["-slow"]));
        AssertIsATest(shown.Shown);
    }

    [Fact]
    public void Cases_AllHaveTheirRow() =>
        Assert.All(Cases, one => Assert.Contains(ReadRows(), row => $"{Cells(row)[0]} |".StartsWith(one.Row, StringComparison.Ordinal)));

    [Theory]
    [InlineData("ProvPerf", "-runTime 60")]
    [InlineData("HubPerf", "-niPort 0 -runTime 60")]
    [InlineData("TransportPerf", "-connType socket -runTime 60")]
    public async Task Server_OneConnectionAllowed_RefusesTheNextAndServesTheFirst(string tool, string options)
    {
        using RunDirectory folder = new();
        using Runs.ToolProcess server = new(tool, $"-p 0 -maxConnections 1 -pingTimeout 30 {options}", folder.Path, "", "");
        CancellationToken cancel = TestContext.Current.CancellationToken;
        ConnectOptions to = To(tool, server.Port);
        await using RsslConnection first = await RsslConnection.ConnectAsync(to, cancel);
        Exception refused = await Assert.ThrowsAnyAsync<Exception>(async () => await RsslConnection.ConnectAsync(to, cancel));
        Assert.Contains("Too many connections", refused.Message, StringComparison.Ordinal);
        Assert.Null(first.Channel.Closed);
    }

    [Theory]
    [InlineData("ProvPerf", "-runTime 60")]
    [InlineData("HubPerf", "-niPort 0 -runTime 60")]
    [InlineData("TransportPerf", "-connType socket -runTime 60")]
    public async Task Server_ASecondForAHandshake_ClosesWhoSaysNothing(string tool, string options)
    {
        using RunDirectory folder = new();
        using Runs.ToolProcess server = new(tool, $"-p 0 -handshakeTimeout 1 {options}", folder.Path, "", "");
        using Socket silent = new(SocketType.Stream, ProtocolType.Tcp);
        await silent.ConnectAsync(IPAddress.Loopback, server.Port, TestContext.Current.CancellationToken);
        Assert.Equal(0, await silent.ReceiveAsync(new byte[1], TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("ProvPerf", "-runTime 60")]
    [InlineData("HubPerf", "-niPort 0 -runTime 60")]
    [InlineData("TransportPerf", "-connType socket -runTime 60")]
    public async Task Server_OneHandshakeAllowed_MakesRoomForTheNext(string tool, string options)
    {
        using RunDirectory folder = new();
        using Runs.ToolProcess server = new(tool, $"-p 0 -maxHandshakes 1 -handshakeTimeout 60 {options}", folder.Path, "", "");
        int port = server.Port;
        using Socket silent = new(SocketType.Stream, ProtocolType.Tcp);
        await silent.ConnectAsync(IPAddress.Loopback, port, TestContext.Current.CancellationToken);
        await using RsslConnection next = await RsslConnection.ConnectAsync(To(tool, port), TestContext.Current.CancellationToken);
        Assert.Equal(0, await silent.ReceiveAsync(new byte[1], TestContext.Current.CancellationToken));
    }

    private static ConnectOptions To(string tool, int port)
    {
        ConnectOptions usual = new() { Host = "localhost", Port = port, HandshakeTimeoutSeconds = 60 };
        return tool == "TransportPerf" ? usual with { ProtocolType = RsslProtocol.TransportPerf, MajorVersion = 0, MinorVersion = 0 } : usual;
    }

    private static void AssertIsATest(string test)
    {
        string[] names = test.Split('.');
        Assert.True(names.Length == 2, $"{test} is no method of a test");
        string[] sources = [.. TestSources.Value.Where(path => Path.GetFileName(path).StartsWith(names[0] + ".", StringComparison.Ordinal))
            .Select(File.ReadAllText)];
        Assert.True(sources.Any(text => text.Contains("[Fact", StringComparison.Ordinal) || text.Contains("[Theory", StringComparison.Ordinal)),
            $"there is no test {names[0]}");
        Assert.True(sources.Any(text => text.Contains($" {names[1]}(", StringComparison.Ordinal)), $"there is no test {test}");
    }

    private static string[] ReadTable() =>
        [.. File.ReadLines(Path.Combine(RepositoryRoot.FullPath, "docs/limits.md")).Where(line => line.StartsWith("| ", StringComparison.Ordinal))];

    private static string[] ReadRows() => ReadTable()[1..];

    private static string[] Cells(string row) => [.. row.Trim().Trim('|').Split('|', StringSplitOptions.TrimEntries)];

    [GeneratedRegex("`(-[A-Za-z]+)`")]
    private static partial Regex OptionName();
}
