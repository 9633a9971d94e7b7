using System.Text.Json.Nodes;
using PerfCommon.Codec;
using Xunit;

namespace PerfCommon.Tests.Codec;

internal sealed partial class VectorDecoder
{
    private void ReadFieldList(JsonObject value, ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        DecodeResult opened = FieldListReader.TryOpen(content, definitions, out FieldListReader list);
        Demand(opened);
        value["flags"] = list.Flags;
        if (list.Has(FieldListFlags.HasInfo))
            (value["dictionaryId"], value["fieldListNum"]) = (list.DictionaryId, list.FieldListNum);
        AddSet(value, list.Flags, list.SetId, list.SetData, list.IsSetDefined);
        JsonArray set = [];
        JsonArray entries = [];
        int setLeft = list.IsSetDefined && definitions.TryFind(list.SetId, out SetDefinition definition) ? definition.EntryCount : 0;
        DecodeResult result;
        while ((result = list.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            bool ofSet = setLeft-- > 0;
            DataType type = ofSet ? entry.Type : (DataType)RwfVector.FieldTypes[(ushort)entry.FieldId];
            Assert.True(content.Slice(entry.Start, entry.Length).SequenceEqual(entry.Content));
            (ofSet ? set : entries).Add(new JsonObject { ["fid"] = entry.FieldId, ["value"] = Decode(type, entry.Content, default, depth) });
        }

        Demand(result);
        AddEntries(value, list.Flags, list.IsSetDefined, set, entries);
    }

    private void ReadElementList(JsonObject value, ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        DecodeResult opened = ElementListReader.TryOpen(content, definitions, out ElementListReader list);
        Demand(opened);
        value["flags"] = list.Flags;
        if (list.Has(ElementListFlags.HasInfo))
            value["elementListNum"] = list.ElementListNum;
        AddSet(value, list.Flags, list.SetId, list.SetData, list.IsSetDefined);
        JsonArray set = [];
        JsonArray entries = [];
        int setLeft = list.IsSetDefined && definitions.TryFind(list.SetId, out SetDefinition definition) ? definition.EntryCount : 0;
        DecodeResult result;
        while ((result = list.TryReadNext(out ElementEntry entry)) == DecodeResult.Success)
        {
            JsonObject element = new() { ["nameHex"] = Convert.ToHexStringLower(entry.Name), ["type"] = TypeNames.Of(entry.Type) };
            if (entry.Type != DataType.NoData)
                element["value"] = Decode(entry.Type, entry.Content, default, depth);
            (setLeft-- > 0 ? set : entries).Add(element);
        }

        Demand(result);
        AddEntries(value, list.Flags, list.IsSetDefined, set, entries);
    }

    private static void AddSet(JsonObject value, int flags, int setId, ReadOnlySpan<byte> setData, bool defined)
    {
        if ((flags & FieldListFlags.HasSetData) == 0)
            return;
        if ((flags & FieldListFlags.HasSetId) != 0)
            value["setId"] = setId;
        if (!defined)
            value["setDataHex"] = Convert.ToHexStringLower(setData);
    }

    private static void AddEntries(JsonObject value, int flags, bool setDefined, JsonArray set, JsonArray entries)
    {
        if (setDefined)
            value["setEntries"] = set;
        if ((flags & FieldListFlags.HasStandardData) != 0)
            value["entries"] = entries;
    }

    private void ReadFilterList(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = FilterListReader.TryOpen(content, out FilterListReader list);
        Demand(opened);
        value["containerType"] = TypeNames.Of(list.ContainerType);
        value["flags"] = list.Flags;
        if (list.Has(FilterListFlags.HasTotalCountHint))
            value["totalCountHint"] = list.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = list.TryReadNext(out FilterEntry entry)) == DecodeResult.Success)
        {
            JsonObject json = new() { ["flags"] = entry.Flags, ["action"] = (int)entry.Action, ["id"] = entry.Id };
            if ((entry.Flags & FilterEntryFlags.HasContainerType) != 0)
                json["containerType"] = TypeNames.Of(entry.ContainerType);
            if (list.Has(FilterListFlags.HasPerEntryPermData) && (entry.Flags & FilterEntryFlags.HasPermData) != 0)
                json["permData"] = Convert.ToHexStringLower(entry.PermData);
            if (entry.HasPayload)
                json["value"] = Decode(entry.ContainerType, entry.Content, default, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void ReadMap(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = MapReader.TryOpen(content, out MapReader map);
        Demand(opened);
        value["containerType"] = TypeNames.Of(map.ContainerType);
        value["flags"] = map.Flags;
        value["keyType"] = TypeNames.Of(map.KeyType);
        if (map.Has(MapFlags.HasKeyFieldId))
            value["keyFieldId"] = map.KeyFieldId;
        SetDefinitions definitions = map.SetDefinitions;
        AddShared(value, map.Has(MapFlags.HasSetDefs), definitions, map.Has(MapFlags.HasSummaryData), map.ContainerType, map.Summary, depth);
        if (map.Has(MapFlags.HasTotalCountHint))
            value["totalCountHint"] = map.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = map.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
        {
            JsonObject json = new() { ["flags"] = entry.Flags, ["action"] = (int)entry.Action };
            if (map.Has(MapFlags.HasPerEntryPermData) && (entry.Flags & EntryFlags.HasPermData) != 0)
                json["permData"] = Convert.ToHexStringLower(entry.PermData);
            json["key"] = Decode(map.KeyType, entry.Key, default, depth);
            if (entry.Action != MapAction.Delete && map.ContainerType != DataType.NoData)
                json["value"] = Decode(map.ContainerType, entry.Content, definitions, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void ReadVector(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = VectorReader.TryOpen(content, out VectorReader vector);
        Demand(opened);
        value["containerType"] = TypeNames.Of(vector.ContainerType);
        value["flags"] = vector.Flags;
        SetDefinitions definitions = vector.SetDefinitions;
        AddShared(value, vector.Has(VectorFlags.HasSetDefs), definitions, vector.Has(VectorFlags.HasSummaryData), vector.ContainerType, vector.Summary, depth);
        if (vector.Has(VectorFlags.HasTotalCountHint))
            value["totalCountHint"] = vector.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = vector.TryReadNext(out VectorEntry entry)) == DecodeResult.Success)
        {
            JsonObject json = new() { ["flags"] = entry.Flags, ["action"] = (int)entry.Action, ["index"] = entry.Index };
            if (vector.Has(VectorFlags.HasPerEntryPermData) && (entry.Flags & EntryFlags.HasPermData) != 0)
                json["permData"] = Convert.ToHexStringLower(entry.PermData);
            if (entry.Action is not (VectorAction.Clear or VectorAction.Delete) && vector.ContainerType != DataType.NoData)
                json["value"] = Decode(vector.ContainerType, entry.Content, definitions, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void ReadSeries(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = SeriesReader.TryOpen(content, out SeriesReader series);
        Demand(opened);
        value["containerType"] = TypeNames.Of(series.ContainerType);
        value["flags"] = series.Flags;
        SetDefinitions definitions = series.SetDefinitions;
        AddShared(value, series.Has(SeriesFlags.HasSetDefs), definitions, series.Has(SeriesFlags.HasSummaryData), series.ContainerType, series.Summary, depth);
        if (series.Has(SeriesFlags.HasTotalCountHint))
            value["totalCountHint"] = series.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = series.TryReadNext(out SeriesEntry entry)) == DecodeResult.Success)
        {
            JsonObject json = [];
            if (series.ContainerType != DataType.NoData)
                json["value"] = Decode(series.ContainerType, entry.Content, definitions, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void AddShared(
        JsonObject value,
        bool hasDefinitions,
        scoped in SetDefinitions definitions,
        bool hasSummary,
        DataType containerType,
        ReadOnlySpan<byte> summary,
        int depth)
    {
        if (hasDefinitions)
            value["setDefs"] = ReadDefinitions(definitions);
        if (hasSummary)
            value["summary"] = Decode(containerType, summary, definitions, depth);
    }

    // In the order of ids; the vectors list definitions in the order of the wire, which is compared after sorting.
    private static JsonObject ReadDefinitions(scoped in SetDefinitions definitions)
    {
        JsonArray all = [];
        for (int id = 0; id <= SetDefinitions.HighestSetId; id++)
        {
            if (!definitions.TryFind(id, out SetDefinition definition))
                continue;
            JsonArray entries = [];
            SetDefinitionReader reader = definition.OpenEntries();
            while (reader.TryReadNext(out SetDefinitionEntry entry) == DecodeResult.Success)
            {
                JsonObject json = new() { ["type"] = TypeNames.Of(entry.Type) };
                if (definitions.ContainerType == DataType.FieldList)
                    json["fid"] = entry.FieldId;
                else
                    json["nameHex"] = Convert.ToHexStringLower(entry.Name);
                entries.Add(json);
            }

            all.Add(new JsonObject { ["setId"] = id, ["entries"] = entries });
        }

        string kind = definitions.ContainerType == DataType.FieldList ? "field" : "element";
        return new JsonObject { ["kind"] = kind, ["defs"] = all };
    }
}
