using System.Text.Json.Nodes;
using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

internal static partial class VectorEncoder
{
    private static void WriteContainer(ref RwfWriter writer, DataType type, JsonNode value, JsonNode? definitions)
    {
        switch (type)
        {
            case DataType.FieldList:
                WriteFieldList(ref writer, value, definitions);
                break;
            case DataType.ElementList:
                WriteElementList(ref writer, value, definitions);
                break;
            case DataType.FilterList:
                WriteFilterList(ref writer, value);
                break;
            case DataType.Array:
                WriteArray(ref writer, value);
                break;
            case DataType.Msg:
                WriteMsg(ref writer, value);
                break;
            default:
                WriteCounted(ref writer, type, value);
                break;
        }
    }

    private static void WriteFieldList(ref RwfWriter writer, JsonNode value, JsonNode? definitions)
    {
        writer.BeginFieldList(
            (int)value["flags"]!,
            (int?)value["dictionaryId"] ?? 0,
            (ushort?)value["fieldListNum"] ?? 0,
            (int?)value["setId"] ?? 0);
        WriteSet(ref writer, value, definitions);
        foreach (JsonNode? entry in value["entries"]?.AsArray() ?? [])
            WriteField(ref writer, (short)entry!["fid"]!, entry["value"]!);
        writer.EndFieldList();
    }

    private static void WriteField(ref RwfWriter writer, short fieldId, JsonNode value)
    {
        DataType type = TypeNames.Parse((string)value["t"]!);
        if (type == DataType.UInt && value["blank"] is null)
        {
            writer.WriteUIntField(fieldId, (ulong)value["v"]!);
            return;
        }

        writer.BeginField(fieldId);
        WriteOpenValue(ref writer, type, value);
    }

    /// <summary>Fills the open entry by the writer's method for the type of the value.</summary>
    private static void WriteOpenValue(ref RwfWriter writer, DataType type, JsonNode value)
    {
        if (value["blank"] is not null || value["empty"] is not null)
        {
            writer.WriteBlank();
            return;
        }

        switch (type)
        {
            case DataType.Int:
                writer.WriteInt((long)value["v"]!);
                break;
            case DataType.UInt or DataType.Enum:
                writer.WriteUInt((ulong)value["v"]!);
                break;
            case DataType.Float:
                writer.WriteFloat(SingleOf(value));
                break;
            case DataType.Double:
                writer.WriteDouble(DoubleOf(value));
                break;
            case DataType.Real:
                writer.WriteReal(RealOf(value));
                break;
            case DataType.Date:
                writer.WriteDate(DateOf(value));
                break;
            case DataType.Time:
                writer.WriteTime(TimeOf(value));
                break;
            case DataType.DateTime:
                writer.WriteDateTime(new RwfDateTime(DateOf(value), TimeOf(value)));
                break;
            case DataType.Qos:
                writer.WriteQos(QosOf(value));
                break;
            case DataType.State:
                writer.WriteState(StateOf(value));
                break;
            default:
                WriteEntryValue(ref writer, value, null);
                break;
        }
    }

    private static void WriteElementList(ref RwfWriter writer, JsonNode value, JsonNode? definitions)
    {
        writer.BeginElementList((int)value["flags"]!, (ushort?)value["elementListNum"] ?? 0, (int?)value["setId"] ?? 0);
        WriteSet(ref writer, value, definitions);
        foreach (JsonNode? entry in value["entries"]?.AsArray() ?? [])
        {
            writer.BeginElement(Hex(entry!["nameHex"]), TypeNames.Parse((string)entry["type"]!));
            if (entry["value"] is JsonNode content)
                WriteEntryValue(ref writer, content, null);
        }

        writer.EndElementList();
    }

    private static void WriteFilterList(ref RwfWriter writer, JsonNode value)
    {
        writer.BeginFilterList(TypeNames.Parse((string)value["containerType"]!), (byte?)value["totalCountHint"]);
        foreach (JsonNode? entry in value["entries"]!.AsArray())
        {
            DataType? own = entry!["containerType"] is JsonNode name ? TypeNames.Parse((string)name!) : null;
            writer.BeginFilterEntry((FilterAction)(byte)entry["action"]!, (byte)entry["id"]!, own, Hex(entry["permData"]));
            if (entry["value"] is JsonNode content)
                WriteEntryValue(ref writer, content, null);
        }

        writer.EndFilterList();
    }

    // Map, vector or series.
    private static void WriteCounted(ref RwfWriter writer, DataType type, JsonNode value)
    {
        DataType containerType = TypeNames.Parse((string)value["containerType"]!);
        int? hint = (int?)value["totalCountHint"];
        if (type == DataType.Map)
            writer.BeginMap(TypeNames.Parse((string)value["keyType"]!), containerType, hint, (short?)value["keyFieldId"]);
        else if (type == DataType.Vector)
            writer.BeginVector(containerType, ((int)value["flags"]! & VectorFlags.SupportsSorting) != 0, hint);
        else
            writer.BeginSeries(containerType, hint);

        JsonNode? definitions = value["setDefs"];
        if (definitions is not null)
            WriteDefinitions(ref writer, definitions);
        if (value["summary"] is JsonNode summary)
        {
            writer.BeginSummary();
            if (summary["empty"] is null && TypeNames.IsStructured(containerType))
                WriteContainer(ref writer, containerType, summary, definitions);
            else
                writer.WriteContent(ContentOf(summary));
            writer.EndSummary();
        }

        foreach (JsonNode? entry in value["entries"]!.AsArray())
            WriteCountedEntry(ref writer, type, entry!, definitions);
        _ = type switch
        {
            DataType.Map => writer.EndMap(),
            DataType.Vector => writer.EndVector(),
            _ => writer.EndSeries(),
        };
    }

    private static void WriteCountedEntry(ref RwfWriter writer, DataType type, JsonNode entry, JsonNode? definitions)
    {
        byte[] permData = Hex(entry["permData"]);
        if (type == DataType.Map)
            writer.BeginMapEntry((MapAction)(byte)entry["action"]!, ContentOf(entry["key"]!), permData);
        else if (type == DataType.Vector)
            writer.BeginVectorEntry((VectorAction)(byte)entry["action"]!, (int)entry["index"]!, permData);
        else
            writer.BeginSeriesEntry();
        if (entry["value"] is JsonNode content)
            WriteEntryValue(ref writer, content, definitions);
    }

    private static void WriteDefinitions(ref RwfWriter writer, JsonNode definitions)
    {
        writer.BeginSetDefinitions();
        foreach (JsonNode? definition in definitions["defs"]!.AsArray())
        {
            writer.BeginSetDefinition((int)definition!["setId"]!);
            foreach (JsonNode? entry in definition["entries"]!.AsArray())
            {
                DataType type = TypeNames.Parse((string)entry!["type"]!);
                if (entry["fid"] is JsonNode fieldId)
                    writer.AddSetField((short)fieldId, type);
                else
                    writer.AddSetElement(Hex(entry["nameHex"]), type);
            }
        }

        writer.EndSetDefinitions();
    }

    private static void WriteSet(ref RwfWriter writer, JsonNode value, JsonNode? definitions)
    {
        if (((int)value["flags"]! & ListFlags.HasSetData) == 0)
            return;
        int setId = (int?)value["setId"] ?? 0;
        JsonArray types = definitions!["defs"]!.AsArray().Single(d => (int)d!["setId"]! == setId)!["entries"]!.AsArray();
        JsonArray items = value["setEntries"]!.AsArray();
        for (int i = 0; i < items.Count; i++)
        {
            DataType type = TypeNames.Parse((string)types[i]!["type"]!);
            writer.BeginSetItem(type);
            WriteOpenValue(ref writer, DataTypes.BaseOf(type), items[i]!["value"]!);
        }

        writer.EndSetData();
    }
}
