using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Reactor;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Reactor;

/// <summary>Warm standby: two servers, the role reported to each, and the switch from one to the other.</summary>
public class StandbyConsumerTests
{
    public static TheoryData<int> Modes => [(int)StandbyMode.Login, (int)StandbyMode.Service];

    [Theory]
    [MemberData(nameof(Modes))]
    public void Start_BothServers_OneIsActiveAndTheOtherHasTheItemsOpen(int mode)
    {
        using StandbyBench bench = Started(mode);
        Assert.Equal((false, true), (bench[0].IsStandby, bench[1].IsStandby));
        Assert.Equal((3, 0), (bench[0].UpdatingItems, bench[1].UpdatingItems));
        Assert.Equal((3, 3L), (bench.Count("refresh"), bench.Counts[Counter.StandbyRefreshes]));
        bench.Update(0);
        bench.Until(() => bench.Count("update") == 1);
        Assert.Equal(0, bench.Counts[Counter.StandbySwitches]);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Kill_TheActiveServer_SwitchesAndSaysWhatItCost(int mode)
    {
        using StandbyBench bench = Started(mode);
        for (int i = 0; i < 10; i++)
        {
            bench.Update(0);
            bench.Pass(100);
        }

        bench.Kill(0);
        bench.Until(() => bench.Count("refresh") == 6);
        Assert.Equal((3, 2), (bench.Count("state"), bench.Count("ready")));
        Assert.False(bench[1].IsStandby);
        Assert.Equal(3, bench[1].UpdatingItems);
        bench.Pass(100);
        bench.Update(1);
        bench.Until(() => bench.Count("update") == 11);

        Assert.Equal((1L, 0L), (bench.Counts[Counter.StandbySwitches], bench.Counts[Counter.StandbyMessages]));
        Assert.InRange(bench.Counts[Counter.SwitchMicros], 0, 20_000);
        Assert.InRange(bench.Counts[Counter.SwitchGapMicros], 190_000, 220_000);
        Assert.InRange(bench.Counts[Counter.UpdatesMissed], 2, 2);
        string[] notices = [.. bench.Notices.Where(notice => notice.Contains("Switched", StringComparison.Ordinal)
            || notice.StartsWith("No updates for", StringComparison.Ordinal))];
        Assert.Equal(2, notices.Length);
        Assert.EndsWith("to the last of 3 images.", notices[0], StringComparison.Ordinal);
        Assert.EndsWith("about 2 were missed, at the rate before.", notices[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Server_ThatComesBack_StandsByUntilTheOtherIsLost()
    {
        using StandbyBench bench = Started((int)StandbyMode.Login);
        bench.Kill(0);
        bench.Until(() => bench.Count("refresh") == 6);
        bench.Start(0);
        bench.Until(() => bench.HasItems(0, 3));
        bench.Pass(20);
        Assert.Equal((true, 0, 6), (bench[0].IsStandby, bench[0].UpdatingItems, bench.Count("refresh")));

        bench.Kill(1);
        bench.Until(() => bench.Count("refresh") == 9);
        Assert.Equal((false, 2L), (bench[0].IsStandby, bench.Counts[Counter.StandbySwitches]));
        Assert.Null(bench.Consumer.Failure);
    }

    [Fact]
    public void Kill_TheStandbyServer_ChangesNothing()
    {
        using StandbyBench bench = Started((int)StandbyMode.Login);
        bench.Kill(1);
        bench.Pass(100);
        bench.Update(0);
        bench.Until(() => bench.Count("update") == 1);
        Assert.Equal((0L, 0, 1), (bench.Counts[Counter.StandbySwitches], bench.Count("state"), bench.Count("ready")));
    }

    [Fact]
    public void Start_OnlyTheOtherServer_ItIsActive()
    {
        using StandbyBench bench = new(StandbyMode.Login);
        bench.Start(1);
        bench.Until(() => bench.Count("refresh") == 3);
        Assert.Equal((false, 0L), (bench[1].IsStandby, bench.Counts[Counter.StandbySwitches]));
        bench.Start(0);
        bench.Until(() => bench.HasItems(0, 3));
        bench.Pass(20);
        Assert.True(bench[0].IsStandby);
    }

    [Fact]
    public void ServiceDown_ModeService_SwitchesWhileTheConnectionStays()
    {
        using StandbyBench bench = Started((int)StandbyMode.Service);
        SetService(bench, 0, isUp: false);
        bench.Until(() => bench.Count("refresh") == 6);
        Assert.Equal((false, true, 1L), (bench[1].IsStandby, bench[0].IsStandby, bench.Counts[Counter.StandbySwitches]));

        SetService(bench, 0, isUp: true);
        bench.Pass(50);
        Assert.Equal((true, 6), (bench[0].IsStandby, bench.Count("refresh")));
        SetService(bench, 1, isUp: false);
        bench.Until(() => bench.Count("refresh") == 9);
        Assert.Equal((false, 2L), (bench[0].IsStandby, bench.Counts[Counter.StandbySwitches]));
    }

    [Fact]
    public void ServiceDown_ModeLogin_StaysAndWaits()
    {
        using StandbyBench bench = Started((int)StandbyMode.Login);
        SetService(bench, 0, isUp: false);
        bench.Pass(50);
        Assert.Equal((true, 0L, 3), (bench[1].IsStandby, bench.Counts[Counter.StandbySwitches], bench.Count("state")));
    }

    [Fact]
    public void Standby_ServerThatCannot_IsLeftAlone()
    {
        using StandbyBench bench = new(StandbyMode.Login);
        bench.Start(0);
        bench.Start(1, supportsStandby: false);
        bench.Until(() => bench.Count("refresh") == 3 && bench.Consumer.Sides[1].Failure is not null);
        Assert.Equal(ConsumerFailureKind.StandbyNotSupported, bench.Consumer.Sides[1].Failure!.Kind);
        Assert.Null(bench.Consumer.Failure);
        bench.Update(0);
        bench.Until(() => bench.Count("update") == 1);
    }

    /// <summary>Status, generic message, acknowledgement, update with a sequence number: those of the server that stands by are counted and dropped.</summary>
    [Fact]
    public void Messages_OfBothServers_AreThoseOfTheActiveOne()
    {
        using StandbyBench bench = Started((int)StandbyMode.Login);
        foreach (int server in (int[])[1, 0])
        {
            Send(bench, server, new() { MsgClass = MsgClass.Status, Flags = StatusFlags.HasState, State = new RwfState(StreamState.Open, DataState.Suspect) });
            Send(bench, server, new() { MsgClass = MsgClass.Generic, Flags = GenericFlags.HasSeqNum, SeqNum = (uint)(server + 7) });
            Send(bench, server, new() { MsgClass = MsgClass.Ack, AckId = (uint)(server + 9) });
            Send(bench, server, new() { MsgClass = MsgClass.Update, Flags = UpdateFlags.HasSeqNum, SeqNum = 3 });
            bench[server].Channel.Flush();
        }

        bench.Until(() => bench.Count("update") == 1);
        Assert.Equal((1, 1, 1, 1), (bench.Count("status 2 Open"), bench.Count("generic 2 7"), bench.Count("ack 2 9"), bench.Count("update 2")));
        Assert.Equal((1, 1, 1), (bench.Count("status"), bench.Count("generic"), bench.Count("ack")));
        bench.Until(() => bench.Counts[Counter.StandbyMessages] == 4);
        Assert.Equal(0, bench.Counts[Counter.StandbySwitches]);
    }

    [Theory]
    [InlineData(0, true, true)]
    [InlineData(0, false, false)]
    [InlineData(1, true, false)]
    [InlineData(1, false, false)]
    public void Ticks_AreWantedOfTheActiveServerAlone(int server, bool wantsTicks, bool expected)
    {
        using StandbyBench bench = Started((int)StandbyMode.Login);
        Assert.Equal(expected, new StandbySide(bench.Consumer, server, new Ticking(wantsTicks)).WantsTicks);
    }

    [Fact]
    public void End_OfTheRun_IsToldOnceOfTheActiveServer()
    {
        using StandbyBench bench = Started((int)StandbyMode.Login);
        bench.End();
        Assert.Equal(1, bench.Count("finishing"));
        Assert.All(bench.Consumer.Sides, side => Assert.True(side.Session.WasDrained));
    }

    [Fact]
    public void Messages_OfBothParts_AreReadAsTheyAreWritten()
    {
        foreach (bool isStandby in (bool[])[true, false])
        {
            RwfMsg login = Wire.Decode(Wire.Encode(room => ConnectionStatus.Encode(room, isStandby)));
            Assert.True(ConnectionStatus.TryRead(login, out bool ofLogin));
            RwfMsg service = Wire.Decode(Wire.Encode(room => ConsumerStatus.Encode(room, 300, isStandby)));
            Assert.True(ConsumerStatus.TryRead(service, 300, out bool ofService));
            Assert.Equal((isStandby, isStandby), (ofLogin, ofService));
            Assert.False(ConsumerStatus.TryRead(service, 301, out _));
            Assert.False(ConnectionStatus.TryRead(service, out _));
        }
    }

    // as another edition writes it: without a name
    [Fact]
    public void ConnectionStatus_Recorded_IsRead()
    {
        byte[] recorded = Convert.FromHexString(
            "000807010000000110090011050001020F5761726D5374616E646279496E666F160800010F5761726D5374616E6462794D6F6465040101");
        Assert.True(ConnectionStatus.TryRead(Wire.Decode(recorded), out bool isStandby));
        Assert.True(isStandby);
        for (int length = 0; length < recorded.Length; length++)
        {
            if (RwfMsg.TryDecode(recorded.AsSpan(0, length), out RwfMsg cut) == DecodeResult.Success)
                Assert.False(ConnectionStatus.TryRead(cut, out _) && length < recorded.Length - 3);
        }
    }

    private static StandbyBench Started(int mode)
    {
        StandbyBench bench = new((StandbyMode)mode);
        bench.Start(0);
        bench.Start(1);
        bench.Until(() => bench.Count("refresh") == 3 && bench.Counts[Counter.StandbyRefreshes] == 3);
        return bench;
    }

    // About the last of three items.
    private static void Send(StandbyBench bench, int server, RwfMsg message)
    {
        message.DomainType = DomainType.MarketPrice;
        message.StreamId = StreamIds.FirstItem + 2;
        Assert.True(bench[server].Output.TrySend(Wire.Encode(message), MessageKind.Other));
    }

    private static void SetService(StandbyBench bench, int server, bool isUp)
    {
        DirectoryProvider directory = new(SessionSamples.Service with { IsUp = isUp });
        byte[] room = new byte[1_000];
        directory.Receive(Wire.Decode(Wire.Encode(DirectoryConsumer.EncodeRequest)));
        int bytes = directory.EncodeChange(room);
        Assert.True(bench[server].Output.TrySend(room.AsSpan(0, bytes), MessageKind.Other));
        bench[server].Channel.Flush();
    }

    private sealed class Ticking(bool wantsTicks) : ConsumerHandler
    {
        protected internal override bool WantsTicks => wantsTicks;
    }
}
