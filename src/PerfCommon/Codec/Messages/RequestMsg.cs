namespace PerfCommon.Codec;

/// <summary>Bits of the flag word of a Request message.</summary>
internal static class RequestFlags // wire/rwf 2.9
{
    public const int HasPriority = 0x0002;
    public const int Streaming = 0x0004; // updates are requested
    public const int MsgKeyInUpdates = 0x0008; // updates are to carry the key
    public const int ConfInfoInUpdates = 0x0010; // updates are to carry conflation information
    public const int NoRefresh = 0x0020; // no image is requested
    public const int HasQos = 0x0040;
    public const int HasWorstQos = 0x0080;
    public const int PrivateStream = 0x0100; // stream is private
    public const int Pause = 0x0200; // stream is to be paused
    public const int HasView = 0x0400; // payload requests a view
    public const int HasBatch = 0x0800; // payload lists items of a batch
    public const int QualifiedStream = 0x1000; // stream is qualified

    /// <summary>Members of the header of this class, each with its flag.</summary>
    // wire/rwf 2.1
    public static HeaderBits Members => new(Priority: HasPriority, Qos: HasQos, WorstQos: HasWorstQos, Key: HeaderBits.Always);
}
