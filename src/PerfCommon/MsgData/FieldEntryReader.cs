using System.Globalization;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.MsgData;

/// <summary>Reads <c>&lt;fieldEntry&gt;</c> elements, checks them against the dictionary and adds them to a list.</summary>
internal sealed class FieldEntryReader(XmlInput input, FieldDictionary dictionary, MessageWarnings warnings)
{
    private readonly Dictionary<string, string> _attributes = new(StringComparer.Ordinal);

    /// <summary>A list for the fields of one message.</summary>
    public FieldListBuilder CreateList() => new(dictionary);

    /// <summary>Reads the element that the input stands at.</summary>
    public void Read(FieldListBuilder list)
    {
        TakeAttributes();
        short fieldId = ReadFieldId();
        DataType type = ReadDataType();
        CheckField(fieldId, type);
        if (list.Count == FieldListBuilder.MaxFields)
            throw input.Error($"field {fieldId} is one too many: a message has at most {FieldListBuilder.MaxFields} fields");

        string? data = Find("data");
        switch (type)
        {
            case DataType.Qos when string.IsNullOrWhiteSpace(data) && data is not null:
            case DataType.State when string.IsNullOrWhiteSpace(data) && data is not null:
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

    private void TakeAttributes()
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

    private DataType ReadDataType()
    {
        string text = Need("dataType");
        return FieldText.TryParseDataType(text, out DataType type)
            ? type
            : throw input.Error($"dataType \"{PrintableText.From(text)}\" is not known");
    }

    private void CheckField(short fieldId, DataType type)
    {
        if (StampFields.IsStamp(fieldId))
            throw input.Error($"field {fieldId} is kept for time stamps and cannot be in a message");
        if (!dictionary.TryFind(fieldId, out FieldDefinition? definition))
            throw input.Error($"field {fieldId} is not in the field dictionary");
        if (definition.DataType != type)
        {
            throw input.Error($"field {fieldId} ({PrintableText.From(definition.Acronym)}) is {FieldText.NameOf(type)} here"
                + $" and {FieldText.NameOf(definition.DataType)} in the field dictionary");
        }
    }

    private void ReadData(short fieldId, DataType type, string text, FieldListBuilder list)
    {
        TextResult result = TextResult.Value;
        FieldValue field = default;
        switch (type)
        {
            case DataType.Int:
                result = FieldText.TryParseInt(text, out long number);
                field = new FieldValue(number, 0, fieldId, FieldKind.Int);
                break;
            case DataType.UInt:
                result = FieldText.TryParseUInt(text, out ulong unsigned);
                field = new FieldValue((long)unsigned, 0, fieldId, FieldKind.UInt);
                break;
            case DataType.Float:
                result = FieldText.TryParseFloat(text, out float single);
                field = new FieldValue(BitConverter.SingleToInt32Bits(single), 0, fieldId, FieldKind.Float);
                break;
            case DataType.Double:
                result = FieldText.TryParseDouble(text, out double twice);
                field = new FieldValue(BitConverter.DoubleToInt64Bits(twice), 0, fieldId, FieldKind.Double);
                break;
            case DataType.Real:
                result = FieldText.TryParseReal(text, out RwfReal real);
                field = new FieldValue(real.Value, 0, fieldId, FieldKind.Real, real.Hint);
                break;
            case DataType.Date:
                result = FieldText.TryParseDate(text, out RwfDate date);
                field = FieldValue.Of(fieldId, date);
                break;
            case DataType.Time:
                result = FieldText.TryParseTime(text, out RwfTime time);
                field = FieldValue.Of(fieldId, time);
                break;
            case DataType.DateTime:
                result = FieldText.TryParseDateTime(text, out RwfDateTime moment);
                field = FieldValue.Of(fieldId, moment);
                break;
            case DataType.Enum:
                result = FieldText.TryParseEnum(text, out ushort choice);
                field = new FieldValue(choice, 0, fieldId, FieldKind.Enum);
                break;
            default:
                list.AddText(fieldId, type, CheckText(fieldId, text, list));
                return;
        }

        if (result == TextResult.Invalid)
            throw input.Error($"field {fieldId}: \"{PrintableText.From(text)}\" is not a value of {FieldText.NameOf(type)}");

        if (result == TextResult.Blank)
            list.AddBlank(fieldId, type);
        else
            list.Add(field, type);
    }

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
        if (!FieldText.TryParseTimeliness(timelinessText, out byte timeliness))
            throw input.Error($"qosTimeliness \"{PrintableText.From(timelinessText)}\" is not known");
        if (!FieldText.TryParseRate(rateText, out byte rate))
            throw input.Error($"qosRate \"{PrintableText.From(rateText)}\" is not known");

        if (timeliness == 0 || rate == 0)
            throw input.Error("a QoS without timeliness or rate cannot travel");

        bool dynamic = ReadNumber("qosDynamic", 1) == 1;
        return new RwfQos(timeliness, rate, dynamic, ReadNumber("qosTimeInfo", ushort.MaxValue), ReadNumber("qosRateInfo", ushort.MaxValue));
    }

    private void ReadState(short fieldId, FieldListBuilder list)
    {
        string streamText = Need("streamState"), dataText = Need("dataState");
        string codeText = Find("code") ?? "RSSL_SC_NONE";
        if (!FieldText.TryParseStreamState(streamText, out StreamState stream))
            throw input.Error($"streamState \"{PrintableText.From(streamText)}\" is not known");
        if (stream == StreamState.Unspecified)
            throw input.Error("a state without stream state cannot travel");
        if (!FieldText.TryParseDataState(dataText, out DataState data))
            throw input.Error($"dataState \"{PrintableText.From(dataText)}\" is not known");
        if (!FieldText.TryParseStateCode(codeText, out StateCode code))
            throw input.Error($"code \"{PrintableText.From(codeText)}\" is not known");

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
