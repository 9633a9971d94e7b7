using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>What is read and changed in an encoded message: nothing else of it changes.</summary>
public class MsgPatchTests
{
    [Theory]
    [InlineData(MsgClass.Request, DomainType.Login)]
    [InlineData(MsgClass.Generic, DomainType.MarketByOrder)]
    [InlineData(MsgClass.Status, DomainType.Source)]
    public void ClassAndDomain_OfAMessage_AreThoseOfItsHeader(MsgClass msgClass, DomainType domain)
    {
        byte[] message = Encode(msgClass, domain, flags: 0);
        Assert.Equal((msgClass, domain), (MsgPatch.ClassOf(message), MsgPatch.DomainOf(message)));
        message[2] |= 0xE0; // no bits of the class
        Assert.Equal(msgClass, MsgPatch.ClassOf(message));
    }

    [Fact]
    public void SetStreamId_AnyId_ChangesNothingElse()
    {
        byte[] message = Encode(MsgClass.Generic, DomainType.MarketPrice, flags: 0);
        byte[] other = [.. message];
        MsgPatch.SetStreamId(message, -7);
        Assert.Equal(DecodeResult.Success, RwfMsg.TryDecode(message, out RwfMsg decoded));
        Assert.Equal(-7, decoded.StreamId);
        MsgPatch.SetStreamId(message, 5);
        Assert.Equal(other, message);
    }

    /// <summary>Flags of the low byte are added and removed in either form of the flags.</summary>
    [Theory]
    [InlineData(0x01)]
    [InlineData(0x0181)]
    public void AddAndRemoveFlags_LowByte_ChangesTheseAlone(int flags)
    {
        byte[] message = Encode(MsgClass.Generic, DomainType.MarketPrice, flags);
        MsgPatch.AddFlags(message, 0x20);
        Assert.Equal(flags | 0x20, FlagsIn(message));
        MsgPatch.AddFlags(message, 0x20);
        MsgPatch.RemoveFlags(message, 0x21);
        Assert.Equal(flags & ~0x01, FlagsIn(message));
    }

    [Fact]
    public void AddToWideFlags_LowByteOfTwo_AddsThem()
    {
        byte[] message = Encode(MsgClass.Generic, DomainType.MarketPrice, 0x4000);
        MsgPatch.AddToWideFlags(message, 0x90);
        Assert.Equal(0x4090, FlagsIn(message));
    }

    [Theory]
    [InlineData(0x01, 0x7F, true)]
    [InlineData(0x01, 0x80, false)]
    [InlineData(0x01, -1, false)]
    [InlineData(0x4001, 0x80, true)]
    [InlineData(0x4001, 0x7FFF, true)]
    [InlineData(0x4001, 0x0001, true)]
    [InlineData(0x4001, 0x8000, false)]
    [InlineData(0x4001, -1, false)]
    public void TrySetFlags_FormOfTheMessage_TakesWhatFits(int before, int flags, bool fits)
    {
        byte[] message = Encode(MsgClass.Generic, DomainType.MarketPrice, before);
        Assert.Equal(fits, MsgPatch.TrySetFlags(message, flags));
        int at = 8;
        Assert.Equal(before > 0x7F, message[at] >= 0x80); // the form stays
        int read = before > 0x7F ? ((message[at] & 0x7F) << 8) | message[at + 1] : message[at];
        Assert.Equal(fits ? flags : before, read);
    }

    // A message without members, as flags that announce some are not read here.
    private static byte[] Encode(MsgClass msgClass, DomainType domain, int flags)
    {
        List<byte> message = [0, 0, (byte)msgClass, (byte)domain, 0, 0, 0, 5];
        message.AddRange(flags > 0x7F ? [(byte)(0x80 | (flags >> 8)), (byte)flags] : [(byte)flags]);
        message.Add(0);
        message[1] = (byte)(message.Count - 2);
        return [.. message];
    }

    private static int FlagsIn(byte[] message) => message[8] < 0x80 ? message[8] : ((message[8] & 0x7F) << 8) | message[9];
}
