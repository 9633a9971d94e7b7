using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

/// <summary>Members that a message of a class carries; written from the tables of the format, not from the codec.</summary>
internal readonly record struct MessageMembers(MsgClass Class, int Flags)
{
    public static MessageMembers Of(MsgClass msgClass, int flags) => new(msgClass, flags);

    public bool ExtendedHeader => Bit(0x1);

    public bool Priority => Class == MsgClass.Request && Bit(0x2);

    public bool Qos => (Class == MsgClass.Request && Bit(0x40)) || (Class == MsgClass.Refresh && Bit(0x80));

    public bool WorstQos => Class == MsgClass.Request && Bit(0x80);

    public bool UpdateType => Class == MsgClass.Update;

    public bool AckId => Class == MsgClass.Ack;

    public bool NakCode => Class == MsgClass.Ack && Bit(0x20);

    public bool Text => Class == MsgClass.Ack && Bit(0x2);

    public bool Conflation => Class == MsgClass.Update && Bit(0x20);

    public bool PostId => Class == MsgClass.Post && Bit(0x2);

    public bool SecondarySeqNum => Class == MsgClass.Generic && Bit(0x20);

    public bool PostUserRights => Class == MsgClass.Post && Bit(0x200);

    public bool State => Class == MsgClass.Refresh || (Class == MsgClass.Status && Bit(0x20));

    public bool GroupId => Class == MsgClass.Refresh || (Class == MsgClass.Status && Bit(0x10));

    public bool SeqNum => Class switch
    {
        MsgClass.Refresh or MsgClass.Update => Bit(0x10),
        MsgClass.Ack or MsgClass.Generic or MsgClass.Post => Bit(0x8),
        _ => false,
    };

    public bool PermData => Class switch
    {
        MsgClass.Refresh or MsgClass.Status or MsgClass.Update or MsgClass.Generic => Bit(0x2),
        MsgClass.Post => Bit(0x80),
        _ => false,
    };

    public bool Key => Class switch
    {
        MsgClass.Request => true,
        MsgClass.Refresh or MsgClass.Status or MsgClass.Update => Bit(0x8),
        MsgClass.Ack => Bit(0x10),
        MsgClass.Generic or MsgClass.Post => Bit(0x4),
        _ => false,
    };

    public bool PostUserInfo => Class switch
    {
        MsgClass.Refresh => Bit(0x800),
        MsgClass.Status => Bit(0x100),
        MsgClass.Update => Bit(0x200),
        MsgClass.Post => true,
        _ => false,
    };

    public bool PartNum => Class switch
    {
        MsgClass.Refresh => Bit(0x1000),
        MsgClass.Generic => Bit(0x40),
        MsgClass.Post => Bit(0x100),
        _ => false,
    };

    private bool Bit(int flag) => (Flags & flag) != 0;
}
