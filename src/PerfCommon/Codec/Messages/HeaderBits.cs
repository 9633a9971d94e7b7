namespace PerfCommon.Codec;

/// <summary>The optional members of a class's header, as the bits of its flag word that announce them; 0 for a member it lacks.</summary>
/// <remarks>The parameters are in the order of the wire: every class has its own selection, and none has another order.</remarks>
internal readonly record struct HeaderBits(
    int UpdateType = 0,
    int AckId = 0,
    int NakCode = 0,
    int Text = 0,
    int Poster = 0, // the posting user, before all other members
    int SeqNum = 0,
    int SecondarySeqNum = 0,
    int PostId = 0,
    int ConfInfo = 0,
    int Priority = 0,
    int State = 0,
    int GroupId = 0,
    int PermData = 0,
    int Qos = 0,
    int WorstQos = 0,
    int Key = 0,
    int PostUserInfo = 0, // the posting user, after the extended header; this and the following members may be missing despite their bits
    int PartNum = 0,
    int PostUserRights = 0,
    int SecondKey = 0) // wire/rwf 2.9
{
    /// <summary>Announces the extended header, between key and user information, in every class.</summary>
    public const int ExtendedHeader = 0x0001; // wire/rwf 2.9

    /// <summary>Not a bit of the wire: every message of the class carries the member.</summary>
    public const int Always = 0x10000;

    private static readonly HeaderBits[] Classes =
    [
        default, // no class has the number 0
        RequestFlags.Members,
        RefreshFlags.Members,
        StatusFlags.Members,
        UpdateFlags.Members,
        default, // wire/rwf 2.5
        AckFlags.Members,
        GenericFlags.Members,
        PostFlags.Members,
    ];

    /// <summary>Returns the bits of a class; none for a number that is no class.</summary>
    public static ref readonly HeaderBits Of(MsgClass msgClass) => ref Classes[IsKnown(msgClass) ? (int)msgClass : 0];

    public static bool IsKnown(MsgClass msgClass) => msgClass is >= MsgClass.Request and <= MsgClass.Post; // wire/rwf 2
}
