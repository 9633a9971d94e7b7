using System.Diagnostics;

namespace PerfCommon.Codec;

/// <summary>Class of a message: the low five bits of its third byte.</summary>
public enum MsgClass : byte // wire/rwf 2
{
    /// <summary>Opens a stream, or changes an open one.</summary>
    Request = 1,

    /// <summary>Carries an image or part of one.</summary>
    Refresh = 2,

    /// <summary>Changes the state of a stream.</summary>
    Status = 3,

    /// <summary>Changes the data of a stream.</summary>
    Update = 4,

    /// <summary>Closes a stream.</summary>
    Close = 5,

    /// <summary>Answers a post or a close.</summary>
    Ack = 6,

    /// <summary>Carries application data in either direction.</summary>
    Generic = 7,

    /// <summary>Contributes data to an item.</summary>
    Post = 8,
}

/// <summary>A message: every member of its header, and the position of its payload.</summary>
/// <remarks>
/// A member counts only when its class has it and its flag, if it has one, is set. Borrows the message it was read from: do
/// not keep it past the next read from the channel.
/// </remarks>
[DebuggerDisplay("{MsgClass} {DomainType} stream {StreamId}, {ContainerType} of {Payload.Length} bytes")]
public ref partial struct RwfMsg
{
    /// <summary>Creates an empty message of priority 1, 1.</summary>
    public RwfMsg()
    {
        PriorityClass = 1; // wire/rwf 2.1
        PriorityCount = 1;
        ContainerType = DataType.NoData;
    }

    /// <summary>Class; decides which flags and members the message may have.</summary>
    public MsgClass MsgClass { get; set; }

    /// <summary>Domain; unknown values are no error.</summary>
    public DomainType DomainType { get; set; }

    /// <summary>Id of the stream.</summary>
    public int StreamId { get; set; }

    /// <summary>Flag word of the class; unknown bits are kept.</summary>
    public int Flags { get; set; }

    /// <summary>Type of the payload; Unknown when the byte names none: raw bytes.</summary>
    public DataType ContainerType { get; set; }

    /// <summary>Key; requests always have one, other classes by flag.</summary>
    public MsgKey Key { get; set; }

    /// <summary>State; refreshes always have one, status messages by flag.</summary>
    public RwfState State { get; set; }

    /// <summary>Quality of service; in a request, the best that is requested.</summary>
    public RwfQos Qos { get; set; }

    /// <summary>Worst quality of service that is requested.</summary>
    public RwfQos WorstQos { get; set; }

    /// <summary>Priority class; 1 when absent.</summary>
    public byte PriorityClass { get; set; }

    /// <summary>Priority count; 1 when absent.</summary>
    public ushort PriorityCount { get; set; }

    /// <summary>Sequence number.</summary>
    public uint SeqNum { get; set; }

    /// <summary>Secondary sequence number.</summary>
    public uint SecondarySeqNum { get; set; }

    /// <summary>Group, at most 255 bytes.</summary>
    public ReadOnlySpan<byte> GroupId { get; set; }

    /// <summary>Permission data, at most 32,767 bytes.</summary>
    public ReadOnlySpan<byte> PermData { get; set; }

    /// <summary>Extended header, at most 255 bytes.</summary>
    public ReadOnlySpan<byte> ExtendedHeader { get; set; }

    /// <summary>Address of the posting user; posts always have one, other classes by flag.</summary>
    public uint PostUserAddress { get; set; }

    /// <summary>Id of the posting user; posts always have one, other classes by flag.</summary>
    public uint PostUserId { get; set; }

    /// <summary>Id of the post.</summary>
    public uint PostId { get; set; }

    /// <summary>Id of the message that is acknowledged.</summary>
    public uint AckId { get; set; }

    /// <summary>Reason of a negative acknowledgement.</summary>
    public NakCode NakCode { get; set; }

    /// <summary>Text for people; may be empty.</summary>
    public ReadOnlySpan<byte> Text { get; set; }

    /// <summary>Number of the part, at most 32,767.</summary>
    public ushort PartNum { get; set; }

    /// <summary>Values of <see cref="Codec.PostUserRights"/>.</summary>
    public ushort PostUserRights { get; set; }

    /// <summary>Updates conflated into this one, at most 32,767.</summary>
    public ushort ConflationCount { get; set; }

    /// <summary>Milliseconds over which updates were conflated.</summary>
    public ushort ConflationTime { get; set; }

    /// <summary>Kind of an update.</summary>
    public UpdateType UpdateType { get; set; }

    /// <summary>Payload; empty when there is none, whatever the container type says. Not written with the header.</summary>
    public ReadOnlySpan<byte> Payload { get; set; }

    /// <summary>True for an update that names the user who posted it.</summary>
    public readonly bool IsPostedUpdate => MsgClass == MsgClass.Update && Has(UpdateFlags.HasPostUserInfo);

    /// <summary>The complete message from which this was read.</summary>
    public ReadOnlySpan<byte> Message { get; private set; }

    /// <summary>Offset of the payload in it.</summary>
    internal readonly int PayloadStart => Message.Length - Payload.Length;

    /// <summary>True when this bit of the flag word is set.</summary>
    /// <param name="flag">A bit of the flag word of this class.</param>
    public readonly bool Has(int flag) => (Flags & flag) != 0;
}
