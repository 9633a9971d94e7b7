using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfTools.Results.Documents;

/// <summary>Reads and writes the members of run.json by generated code: without reflection, so that native builds can do it too.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectNullableAnnotations = true, Converters = [typeof(UtcMillis)])]
[JsonSerializable(typeof(RunDocument))]
internal sealed partial class RunJson : JsonSerializerContext;

/// <summary>Converts UTC times to the millisecond, as run.json has them.</summary>
internal sealed class UtcMillis : JsonConverter<DateTime>
{
    private const string Form = "yyyy-MM-dd'T'HH:mm:ss.fff'Z'";
    private const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;

    public override DateTime Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options)
    {
        string? text = reader.TokenType == JsonTokenType.String ? reader.GetString() : null;
        return DateTime.TryParseExact(text, Form, CultureInfo.InvariantCulture, Utc, out DateTime time)
            ? time : throw new JsonException("a time is no UTC time of the form " + Form);
    }

    public override void Write(Utf8JsonWriter writer, DateTime time, JsonSerializerOptions options) =>
        writer.WriteStringValue(time.ToString(Form, CultureInfo.InvariantCulture));
}
