namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Bits of the flag word of a message key.</summary>
public static class MsgKeyFlags
{
    /// <summary>Carries the service id.</summary>
    public const int HasServiceId = 0x01;

    /// <summary>Carries the name.</summary>
    public const int HasName = 0x02;

    /// <summary>Carries the name type, when there is a name.</summary>
    public const int HasNameType = 0x04;

    /// <summary>Carries the filter.</summary>
    public const int HasFilter = 0x08;

    /// <summary>Carries the identifier.</summary>
    public const int HasIdentifier = 0x10;

    /// <summary>Carries an attribute container.</summary>
    public const int HasAttrib = 0x20;
}
