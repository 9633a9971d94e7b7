namespace PerfCommon.Transport;

/// <summary>Converts between a version and its two numbers: the request's and the ack's.</summary>
internal static class ConnectionVersions
{
    public const int Lowest = 11; // wire/transport 0
    public const int Highest = 14; // wire/transport 0

    /// <summary>First version with a protocol type in the request, and with LZ4.</summary>
    public const int WithProtocolType = 12; // wire/transport 0

    /// <summary>First version with a component version, and with fragment ids of 2 bytes.</summary>
    public const int WithComponent = 13; // wire/transport 0

    /// <summary>First version with a key exchange.</summary>
    public const int WithKey = 14; // wire/transport 0

    private const uint RequestOffset = 0x14 - Lowest; // wire/transport 0
    private const uint AckOffset = unchecked((uint)(6 - Lowest)); // wire/transport 0

    /// <summary>Returns the version of a client's first attempt.</summary>
    public static int HighestFor(ConnectOptions options) => Math.Min(options.HighestVersion, Highest);

    // wire/transport 1.6
    /// <summary>Returns the last version of a client's fallback: 11 has no protocol type, so it is for RWF alone.</summary>
    public static int LowestFor(ConnectOptions options) => options.ProtocolType == RsslProtocol.Rwf ? Lowest : WithProtocolType;

    public static uint InRequest(int version) => unchecked((uint)version + RequestOffset);

    public static uint InAck(int version) => unchecked((uint)version + AckOffset);

    /// <summary>Returns the version of a request word; 0 when it is unknown.</summary>
    public static int FromRequest(uint word)
    {
        uint version = unchecked(word - RequestOffset);
        return version is >= Lowest and <= Highest ? (int)version : 0;
    }
}
