using System.Globalization;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>Reads <c>&lt;fieldEntry&gt;</c> elements, checks them against the dictionary and adds them to a list.</summary>
internal sealed class FieldEntryReader(XmlInput input, FieldDictionary dictionary, MessageWarnings warnings)
{
    private readonly Dictionary<string, string> _attributes = new(StringComparer.Ordinal);

    /// <summary>Creates a list for the fields of one message.</summary>
    public FieldListBuilder CreateList() => new(dictionary);

    /// <summary>Reads the element at the input's position.</summary>
    public void Read(FieldListBuilder list)
    {
        ReadAttributes();
        short fieldId = ReadFieldId();
        DataType type = ReadType(fieldId);
        CheckField(fieldId, type);
        if (list.Count == FieldListBuilder.MaxFields)
            throw input.Error($"field {fieldId} is one too many: a message has at most {FieldListBuilder.MaxFields} fields");

        string? data = Find("data");
        switch (type)
        {
            case DataType.Qos or DataType.State when data is not null && string.IsNullOrWhiteSpace(data):
                list.AddBlank(fieldId, type);
                break;
            case DataType.Qos:
                list.Add(FieldValue.Of(fieldId, ReadQos()), type);
                break;
            case DataType.State:
                ReadState(fieldId, list);
                break;
            default:
                ReadData(fieldId, type, data ?? throw input.Error($"field {fieldId} has no attribute data"), list);
                break;
        }
    }

    private void ReadAttributes()
    {
        _attributes.Clear();
        while (input.ReadAttribute(out string name, out string value))
        {
            if (name is not ("fieldId" or "dataType" or "data" or "qosTimeliness" or "qosRate" or "qosDynamic" or "qosTimeInfo"
                or "qosRateInfo" or "streamState" or "dataState" or "code" or "text"))
            {
                warnings.Add("attribute", name);
            }

            _attributes[name] = value;
        }
    }

    private string? Find(string name) => _attributes.GetValueOrDefault(name);

    private string Need(string name) => Find(name) ?? throw input.Error($"fieldEntry has no attribute {name}");

    private short ReadFieldId()
    {
        string text = Need("fieldId");
        return short.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out short id)
            ? id
            : throw input.Error($"fieldId is \"{PrintableText.From(text)}\", expected a number from -32768 to 32767");
    }

    private DataType ReadType(short fieldId)
    {
        string text = Need("dataType");
        return text == FieldText.NameOf(DataType.Array)
            ? throw input.Error($"field {fieldId}: fields can have any of the primitive types but {text}, whose values have no text form here")
            : Known<DataType>("dataType", text, FieldText.TryParseDataType);
    }

    private delegate bool Parser<T>(string text, out T value);

    private T Known<T>(string attribute, string text, Parser<T> parser) =>
        parser(text, out T value) ? value : throw input.Error($"{attribute} \"{PrintableText.From(text)}\" is not known");

    private void CheckField(short fieldId, DataType type)
    {
        if (StampFields.IsStamp(fieldId))
            throw input.Error($"field {fieldId} is kept for time stamps and cannot be in a message");
        if (!dictionary.TryFind(fieldId, out FieldDefinition? definition))
            throw input.Error($"field {fieldId} is not in {dictionary.FieldsShown}");
        if (definition.DataType != type)
        {
            throw input.Error($"field {fieldId} ({PrintableText.From(definition.Acronym)}) is {FieldText.NameOf(type)} here"
                + $" and {FieldText.NameOf(definition.DataType)} in {dictionary.FieldsShown}");
        }
    }

    private void ReadData(short fieldId, DataType type, string text, FieldListBuilder list)
    {
        if (Parse(fieldId, type, text) is not var (result, field))
            list.AddText(fieldId, type, CheckText(fieldId, text, list));
        else if (result == TextResult.Invalid)
            throw input.Error($"field {fieldId}: \"{PrintableText.From(text)}\" is not a value of {FieldText.NameOf(type)}");
        else if (result == TextResult.Blank)
            list.AddBlank(fieldId, type);
        else
            list.Add(field, type);
    }

    // Parses the text of a field; null for the types whose value is the text itself.
    private static (TextResult Result, FieldValue Field)? Parse(short id, DataType type, string text) => type switch
    {
        DataType.Int => (FieldText.TryParseInt(text, out long v), new(v, 0, id, FieldKind.Int)),
        DataType.UInt => (FieldText.TryParseUInt(text, out ulong v), new((long)v, 0, id, FieldKind.UInt)),
        DataType.Float => (FieldText.TryParseFloat(text, out float v), new(BitConverter.SingleToInt32Bits(v), 0, id, FieldKind.Float)),
        DataType.Double => (FieldText.TryParseDouble(text, out double v), new(BitConverter.DoubleToInt64Bits(v), 0, id, FieldKind.Double)),
        DataType.Real => (FieldText.TryParseReal(text, out RwfReal v), new(v.Value, 0, id, FieldKind.Real, v.Hint)),
        DataType.Date => (FieldText.TryParseDate(text, out RwfDate v), FieldValue.Of(id, v)),
        DataType.Time => (FieldText.TryParseTime(text, out RwfTime v), FieldValue.Of(id, v)),
        DataType.DateTime => (FieldText.TryParseDateTime(text, out RwfDateTime v), FieldValue.Of(id, v)),
        DataType.Enum => (FieldText.TryParseEnum(text, out ushort v), new(v, 0, id, FieldKind.Enum)),
        _ => null,
    };

    private string CheckText(short fieldId, string text, FieldListBuilder list, int maxBytes = FieldListBuilder.MaxTextBytes)
    {
        int bytes = Encoding.UTF8.GetByteCount(text);
        if (bytes > maxBytes)
            throw input.Error($"field {fieldId}: the text has {bytes} bytes, at most {maxBytes} are possible");
        if (bytes + list.TextBytes > FieldListBuilder.MaxMessageTextBytes)
            throw input.Error($"field {fieldId}: the texts of one message have at most {FieldListBuilder.MaxMessageTextBytes} bytes");

        return text;
    }

    private RwfQos ReadQos()
    {
        string timelinessText = Need("qosTimeliness"), rateText = Need("qosRate");
        byte timeliness = Known<byte>("qosTimeliness", timelinessText, FieldText.TryParseTimeliness);
        byte rate = Known<byte>("qosRate", rateText, FieldText.TryParseRate);
        if (timeliness == 0 || rate == 0)
            throw input.Error("a QoS without timeliness or rate cannot travel");

        bool dynamic = ReadNumber("qosDynamic", 1) == 1;
        return new RwfQos(timeliness, rate, dynamic, ReadNumber("qosTimeInfo", ushort.MaxValue),
            ReadNumber("qosRateInfo", ushort.MaxValue));
    }

    private void ReadState(short fieldId, FieldListBuilder list)
    {
        string streamText = Need("streamState"), dataText = Need("dataState");
        StreamState stream = Known<StreamState>("streamState", streamText, FieldText.TryParseStreamState);
        if (stream == StreamState.Unspecified)
            throw input.Error("a state without stream state cannot travel");
        DataState data = Known<DataState>("dataState", dataText, FieldText.TryParseDataState);
        StateCode code = Known<StateCode>("code", Find("code") ?? "RSSL_SC_NONE", FieldText.TryParseStateCode);
        string text = CheckText(fieldId, Find("text") ?? "", list, FieldListBuilder.MaxStateTextBytes);
        list.AddState(fieldId, stream, data, code, text);
    }

    private ushort ReadNumber(string name, ushort largest)
    {
        string? text = Find(name);
        if (text is null)
            return 0;

        return ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort number) && number <= largest
            ? number
            : throw input.Error($"{name} is \"{PrintableText.From(text)}\", expected a number from 0 to {largest}");
    }
}
