namespace PerfCommon.Codec;

#pragma warning disable CA1711 // the protocol calls it a flag word
/// <summary>Flag byte of an element list.</summary>
internal static class ElementListFlags
{
    /// <summary>Carries the element list number.</summary>
    public const int HasInfo = 0x01;

    /// <summary>Carries entries laid out by a set definition.</summary>
    public const int HasSetData = 0x02;

    /// <summary>Names the set definition; otherwise it is 0.</summary>
    public const int HasSetId = 0x04;

    /// <summary>Carries self-describing entries.</summary>
    public const int HasStandardData = 0x08;
}
