using System.Text;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>A header carries exactly the members that its class and flags announce, by the tables of the format.</summary>
public class HeaderMembersTests
{
    private const int FlagBits = 15;

    public static TheoryData<MsgClass> Classes => [.. Enum.GetValues<MsgClass>()];

    [Theory, MemberData(nameof(Classes))]
    public void TryWriteHeader_EachFlagAlone_CarriesItsMember(MsgClass msgClass)
    {
        for (int bit = 0; bit < FlagBits; bit++)
            Check(msgClass, 1 << bit);
        Check(msgClass, 0);
    }

    [Theory, MemberData(nameof(Classes))]
    public void TryWriteHeader_AllFlagsButOne_CarriesTheOthers(MsgClass msgClass)
    {
        for (int bit = 0; bit < FlagBits; bit++)
            Check(msgClass, ((1 << FlagBits) - 1) & ~(1 << bit));
    }

    private static void Check(MsgClass msgClass, int flags)
    {
        byte[] room = new byte[500];
        RwfWriter writer = new(room);
        Assert.True(writer.TryWriteHeader(Whole(msgClass, flags)));
        Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(room.AsSpan(0, writer.Written), out RwfMsg decoded));
        MessageMembers members = MessageMembers.Of(msgClass, flags);
        RwfMsg none = new() { PriorityClass = 1, PriorityCount = 1 };
        Assert.Equal($"{msgClass} {flags:x}: {Texts(Whole(msgClass, flags), none, members)}", $"{msgClass} {flags:x}: {Texts(decoded, decoded, members)}");
        Assert.Equal((msgClass, DomainType.MarketMaker, -5), (decoded.MsgClass, decoded.DomainType, decoded.StreamId));
        Assert.True(decoded.Payload.IsEmpty);
    }

    // A header in which every member has another value.
    private static RwfMsg Whole(MsgClass msgClass, int flags) => new()
    {
        MsgClass = msgClass,
        DomainType = DomainType.MarketMaker,
        StreamId = -5,
        Flags = flags,
        SeqNum = 1_001,
        SecondarySeqNum = 1_002,
        PostId = 1_003,
        AckId = 1_004,
        NakCode = (NakCode)5,
        Text = "t"u8,
        UpdateType = (UpdateType)7,
        PostUserAddress = 1_005,
        PostUserId = 1_006,
        ConflationCount = 3,
        ConflationTime = 4,
        PriorityClass = 9,
        PriorityCount = 10,
        State = new RwfState(StreamState.Open, DataState.Ok, StateCode.GapFill, "s"u8),
        GroupId = "gr"u8,
        PermData = "p"u8,
        Qos = new RwfQos(2, 1),
        WorstQos = new RwfQos(1, 2),
        Key = new MsgKey { Flags = MsgKeyFlags.HasName, Name = "k"u8 },
        ExtendedHeader = "x"u8,
        PartNum = 11,
        PostUserRights = 12,
    };

    // The members: those that are carried of one header, the others of the other.
    private static string Texts(scoped in RwfMsg carried, scoped in RwfMsg others, MessageMembers members) => string.Join(", ",
    [
        $"seq {(members.SeqNum ? carried : others).SeqNum}",
        $"second {(members.SecondarySeqNum ? carried : others).SecondarySeqNum}",
        $"post {(members.PostId ? carried : others).PostId}",
        $"ack {(members.AckId ? carried : others).AckId}",
        $"nak {(members.NakCode ? carried : others).NakCode}",
        $"text {Text((members.Text ? carried : others).Text)}",
        $"update {(members.UpdateType ? carried : others).UpdateType}",
        $"user {(members.PostUserInfo ? carried : others).PostUserAddress} {(members.PostUserInfo ? carried : others).PostUserId}",
        $"conflated {(members.Conflation ? carried : others).ConflationCount} {(members.Conflation ? carried : others).ConflationTime}",
        $"priority {(members.Priority ? carried : others).PriorityClass} {(members.Priority ? carried : others).PriorityCount}",
        $"state {(members.State ? carried : others).State.Code} {Text((members.State ? carried : others).State.Text)}",
        $"group {Text((members.GroupId ? carried : others).GroupId)}",
        $"permission {Text((members.PermData ? carried : others).PermData)}",
        $"qos {(members.Qos ? carried : others).Qos}",
        $"worst {(members.WorstQos ? carried : others).WorstQos}",
        $"key {Text((members.Key ? carried : others).Key.Name)}",
        $"extended {Text((members.ExtendedHeader ? carried : others).ExtendedHeader)}",
        $"part {(members.PartNum ? carried : others).PartNum}",
        $"rights {(members.PostUserRights ? carried : others).PostUserRights}",
    ]);

    private static string Text(ReadOnlySpan<byte> bytes) => Encoding.ASCII.GetString(bytes);
}
