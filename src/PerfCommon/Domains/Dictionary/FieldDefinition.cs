using System.Diagnostics;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>Definition of one field in the field dictionary.</summary>
/// <param name="Fid">Field id, never 0; user-defined ids are negative.</param>
/// <param name="Acronym">Short name without blanks, such as <c>BID</c>.</param>
/// <param name="LongName">Name for people (the DDE acronym of the vendor's format); may be empty.</param>
/// <param name="RipplesTo">Field that receives the old value when this one changes; 0 for none.</param>
/// <param name="FieldType">Older type of the field.</param>
/// <param name="Length">Largest length in the older form, in characters.</param>
/// <param name="EnumLength">Characters of the text of an enum value; 0 for other fields.</param>
/// <param name="DataType">Type of the value on the wire.</param>
/// <param name="RwfLength">Bytes to keep for a cached value; a hint only.</param>
[DebuggerDisplay("{Acronym,nq} ({Fid}): {DataType}")]
public sealed record FieldDefinition(
    short Fid,
    string Acronym,
    string LongName,
    short RipplesTo,
    FieldType FieldType,
    ushort Length,
    byte EnumLength,
    DataType DataType,
    ushort RwfLength);

/// <summary>The older (Marketfeed) type of a field, kept in the dictionary in addition to its RWF type.</summary>
public enum FieldType : sbyte // wire/rwf 5
{
    /// <summary>No older type: the field exists only in RWF.</summary>
    None = -1,

    /// <summary>Time with seconds.</summary>
    TimeSeconds = 0,

    /// <summary>Whole number.</summary>
#pragma warning disable CA1720 // the dictionary's own name
    Integer = 1,
#pragma warning restore CA1720

    /// <summary>Number with decimals.</summary>
    Numeric = 2,

    /// <summary>Day, month and year.</summary>
    Date = 3,

    /// <summary>Price.</summary>
    Price = 4,

    /// <summary>Short text.</summary>
    Alphanumeric = 5,

    /// <summary>Number of a text in an enum table.</summary>
    Enumerated = 6,

    /// <summary>Time in hours and minutes.</summary>
    Time = 7,

    /// <summary>Bytes whose meaning the dictionary does not define.</summary>
    Binary = 8,

    /// <summary>Text of more than 255 bytes.</summary>
    LongAlphanumeric = 9,

    /// <summary>A whole document in one field.</summary>
    Opaque = 10,
}
