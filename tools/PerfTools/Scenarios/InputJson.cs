using System.Text.Json;
using System.Text.Json.Serialization;

namespace PerfTools.Scenarios;

/// <summary>Writes the options of a run into the inputs of run.json, by code that the build generates.</summary>
[JsonSerializable(typeof(bool))]
[JsonSerializable(typeof(int))]
[JsonSerializable(typeof(double))]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(Dictionary<string, string>))]
[JsonSerializable(typeof(Dictionary<string, IReadOnlyList<string>>))]
internal sealed partial class InputJson : JsonSerializerContext
{
    /// <summary>Converts each input, under its name.</summary>
    /// <param name="inputs">Values of the types above, or null.</param>
    /// <exception cref="InvalidOperationException">A value has another type.</exception>
    public static Dictionary<string, JsonElement> Of(IReadOnlyDictionary<string, object?> inputs) =>
        inputs.ToDictionary(input => input.Key,
            input => JsonSerializer.SerializeToElement(input.Value, input.Value?.GetType() ?? typeof(string), Default));
}
