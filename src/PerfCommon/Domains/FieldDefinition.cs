using System.Diagnostics;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What the field dictionary says about one field.</summary>
/// <param name="Fid">Field id, never 0; ids of users are negative.</param>
/// <param name="Acronym">Short name without blanks, such as <c>BID</c>.</param>
/// <param name="LongName">Name for people (the DDE acronym of the vendor's format); may be empty.</param>
/// <param name="RipplesTo">Field that takes the old value when this one changes; 0 for none.</param>
/// <param name="FieldType">Older type of the field.</param>
/// <param name="Length">Largest length in the older form, in characters.</param>
/// <param name="EnumLength">Characters of the text an enum value stands for; 0 for other fields.</param>
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
