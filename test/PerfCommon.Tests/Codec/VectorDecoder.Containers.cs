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
        value["flags"] = list.Head.Flags;
        if (list.Head.Has(ListFlags.HasInfo))
            (value["dictionaryId"], value["fieldListNum"]) = (list.Head.DictionaryId, list.Head.FieldListNum);
        AddSet(value, list.Head.Flags, list.Head.Set.SetId, list.Head.Set.Data, list.Head.Set.IsDefined);
        JsonArray set = [];
        JsonArray entries = [];
        int setLeft = list.Head.Set.IsDefined && definitions.TryFind(list.Head.Set.SetId, out SetDefinition definition)
            ? definition.EntryCount : 0;
        DecodeResult result;
        while ((result = list.TryReadNext(out FieldEntry entry)) == DecodeResult.Success)
        {
            bool ofSet = setLeft-- > 0;
            DataType type = ofSet ? entry.Type : (DataType)RwfVector.FieldTypes[(ushort)entry.FieldId];
            Assert.True(content.Slice(entry.Start, entry.Length).SequenceEqual(entry.Content));
            (ofSet ? set : entries).Add(new JsonObject
            {
                ["fid"] = entry.FieldId,
                ["value"] = Decode(type, entry.Content, default, depth)
            });
        }

        Demand(result);
        AddEntries(value, list.Head.Flags, list.Head.Set.IsDefined, set, entries);
    }

    private void ReadElementList(JsonObject value, ReadOnlySpan<byte> content, scoped in SetDefinitions definitions, int depth)
    {
        DecodeResult opened = ElementListReader.TryOpen(content, definitions, out ElementListReader list);
        Demand(opened);
        value["flags"] = list.Flags;
        if (list.Has(ListFlags.HasInfo))
            value["elementListNum"] = list.ElementListNum;
        AddSet(value, list.Flags, list.Set.SetId, list.Set.Data, list.Set.IsDefined);
        JsonArray set = [];
        JsonArray entries = [];
        int setLeft = list.Set.IsDefined && definitions.TryFind(list.Set.SetId, out SetDefinition definition) ? definition.EntryCount : 0;
        DecodeResult result;
        while ((result = list.TryReadNext(out ElementEntry entry)) == DecodeResult.Success)
        {
            JsonObject element = new() { ["nameHex"] = Convert.ToHexStringLower(entry.Name), ["type"] = TypeNames.Of(entry.Type) };
            if (entry.Type != DataType.NoData)
                element["value"] = Decode(entry.Type, entry.Content, default, depth);
            (setLeft-- > 0 ? set : entries).Add(element);
        }

        Demand(result);
        AddEntries(value, list.Flags, list.Set.IsDefined, set, entries);
    }

    private static void AddSet(JsonObject value, int flags, int setId, ReadOnlySpan<byte> setData, bool defined)
    {
        if ((flags & ListFlags.HasSetData) == 0)
            return;
        if ((flags & ListFlags.HasSetId) != 0)
            value["setId"] = setId;
        if (!defined)
            value["setDataHex"] = Convert.ToHexStringLower(setData);
    }

    private static void AddEntries(JsonObject value, int flags, bool setDefined, JsonArray set, JsonArray entries)
    {
        if (setDefined)
            value["setEntries"] = set;
        if ((flags & ListFlags.HasStandardData) != 0)
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
        value["containerType"] = TypeNames.Of(map.Shared.ContainerType);
        value["flags"] = map.Shared.Flags;
        value["keyType"] = TypeNames.Of(map.KeyType);
        if (map.Shared.Has(MapFlags.HasKeyFieldId))
            value["keyFieldId"] = map.KeyFieldId;
        SetDefinitions definitions = map.Shared.SetDefinitions;
        AddShared(value, map.Shared, depth);
        if (map.Shared.Has(MapFlags.HasTotalCountHint))
            value["totalCountHint"] = map.Shared.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = map.TryReadNext(out MapEntry entry)) == DecodeResult.Success)
        {
            JsonObject json = new() { ["flags"] = entry.Flags, ["action"] = (int)entry.Action };
            if (map.Shared.Has(MapFlags.HasPerEntryPermData) && (entry.Flags & EntryFlags.HasPermData) != 0)
                json["permData"] = Convert.ToHexStringLower(entry.PermData);
            json["key"] = Decode(map.KeyType, entry.Key, default, depth);
            if (entry.Action != MapAction.Delete && map.Shared.ContainerType != DataType.NoData)
                json["value"] = Decode(map.Shared.ContainerType, entry.Content, definitions, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void ReadVector(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = VectorReader.TryOpen(content, out VectorReader vector);
        Demand(opened);
        value["containerType"] = TypeNames.Of(vector.Shared.ContainerType);
        value["flags"] = vector.Shared.Flags;
        SetDefinitions definitions = vector.Shared.SetDefinitions;
        AddShared(value, vector.Shared, depth);
        if (vector.Shared.Has(VectorFlags.HasTotalCountHint))
            value["totalCountHint"] = vector.Shared.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = vector.TryReadNext(out VectorEntry entry)) == DecodeResult.Success)
        {
            JsonObject json = new() { ["flags"] = entry.Flags, ["action"] = (int)entry.Action, ["index"] = entry.Index };
            if (vector.Shared.Has(VectorFlags.HasPerEntryPermData) && (entry.Flags & EntryFlags.HasPermData) != 0)
                json["permData"] = Convert.ToHexStringLower(entry.PermData);
            if (entry.Action is not (VectorAction.Clear or VectorAction.Delete) && vector.Shared.ContainerType != DataType.NoData)
                json["value"] = Decode(vector.Shared.ContainerType, entry.Content, definitions, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void ReadSeries(JsonObject value, ReadOnlySpan<byte> content, int depth)
    {
        DecodeResult opened = SeriesReader.TryOpen(content, out SeriesReader series);
        Demand(opened);
        value["containerType"] = TypeNames.Of(series.Shared.ContainerType);
        value["flags"] = series.Shared.Flags;
        SetDefinitions definitions = series.Shared.SetDefinitions;
        AddShared(value, series.Shared, depth);
        if (series.Shared.Has(SeriesFlags.HasTotalCountHint))
            value["totalCountHint"] = series.Shared.TotalCountHint;
        JsonArray entries = [];
        DecodeResult result;
        while ((result = series.TryReadNext(out ReadOnlySpan<byte> row)) == DecodeResult.Success)
        {
            JsonObject json = [];
            if (series.Shared.ContainerType != DataType.NoData)
                json["value"] = Decode(series.Shared.ContainerType, row, definitions, depth);
            entries.Add(json);
        }

        Demand(result);
        value["entries"] = entries;
    }

    private void AddShared(JsonObject value, scoped in SummedEntries shared, int depth)
    {
        if (shared.Has(MapFlags.HasSetDefs))
            value["setDefs"] = ReadDefinitions(shared.SetDefinitions);
        if (shared.Has(MapFlags.HasSummaryData))
            value["summary"] = Decode(shared.ContainerType, shared.Summary, shared.SetDefinitions, depth);
    }

    // In the order of ids; the vectors list definitions in the order of the wire, which is compared after sorting.
    private static JsonObject ReadDefinitions(scoped in SetDefinitions definitions)
    {
        JsonArray all = [];
        for (int id = 0; id <= SetDefinitions.MaxSetId; id++)
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
