namespace PerfCommon.Domains;

/// <summary>One row of an enum table.</summary>
/// <param name="Value">Number on the wire.</param>
/// <param name="Display">Text shown for it, as bytes of the field's character set; blanks count.</param>
/// <param name="Meaning">Explanation for people; may be empty, and is not sent.</param>
public sealed record EnumValue(ushort Value, ReadOnlyMemory<byte> Display, string Meaning);
