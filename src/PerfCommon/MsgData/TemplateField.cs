using System.Diagnostics;
using PerfCommon.Codec;

namespace PerfCommon.MsgData;

/// <summary>One field of a template.</summary>
/// <param name="FieldId">Id of the field.</param>
/// <param name="Type">Its type by the dictionary.</param>
/// <param name="Value">
/// Null when blank; else, by type: <see cref="long"/> (Int), <see cref="ulong"/> (UInt), <see cref="ushort"/> (Enum), <see cref="float"/>,
/// <see cref="double"/>, <see cref="RwfReal"/>, <see cref="RwfDate"/>, <see cref="RwfTime"/>, <see cref="RwfDateTime"/>, <see cref="RwfQos"/>,
/// <c>(StreamState, DataState, StateCode, string Text)</c> (State), <see cref="string"/> (the three strings), an array of bytes (all others).
/// </param>
[DebuggerDisplay("field {FieldId}, {Type} {Value}")]
public readonly record struct TemplateField(short FieldId, DataType Type, object? Value);
