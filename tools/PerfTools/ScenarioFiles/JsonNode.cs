using System.Globalization;
using System.Text;
using System.Text.Json;

namespace PerfTools.ScenarioFiles;

/// <summary>A value of a JSON text and the line in which it begins. Comments and a comma at the end of a list are allowed.</summary>
/// <param name="Line">The line, from 1.</param>
/// <param name="Kind">The kind of value; true and false are two kinds.</param>
/// <param name="Text">The content of a string, the digits of a number as they are written; else the name of the kind in JSON.</param>
internal sealed record JsonNode(int Line, JsonValueKind Kind, string Text)
{
    private const int MaxDepth = 16;

    /// <summary>The members of an object, in their order.</summary>
    public IReadOnlyList<JsonMember> Members { get; private init; } = [];

    /// <summary>The entries of an array.</summary>
    public IReadOnlyList<JsonNode> Items { get; private init; } = [];

    /// <summary>Reads a whole text.</summary>
    /// <exception cref="JsonException">The text is no JSON; the line counts from 0.</exception>
    public static JsonNode Parse(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        Utf8JsonReader reader = new(bytes, new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true, MaxDepth = MaxDepth });
        LineCounter lines = new(bytes);
        reader.Read();
        JsonNode whole = Read(ref reader, lines);
        while (reader.Read())
        {
            // the reader rejects text after the value
        }

        return whole;
    }

    private static JsonNode Read(ref Utf8JsonReader reader, LineCounter lines)
    {
        int line = lines.At(reader.TokenStartIndex);
        switch (reader.TokenType)
        {
            case JsonTokenType.StartObject:
                return ReadObject(ref reader, lines, line);
            case JsonTokenType.StartArray:
                List<JsonNode> items = [];
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                    items.Add(Read(ref reader, lines));
                return new(line, JsonValueKind.Array, "a list") { Items = items };
            case JsonTokenType.String:
                return new(line, JsonValueKind.String, reader.GetString()!);
            case JsonTokenType.Number:
                return new(line, JsonValueKind.Number, Encoding.UTF8.GetString(reader.ValueSpan));
            case JsonTokenType.True:
                return new(line, JsonValueKind.True, "true");
            case JsonTokenType.False:
                return new(line, JsonValueKind.False, "false");
            default:
                return new(line, JsonValueKind.Null, "null");
        }
    }

    private static JsonNode ReadObject(ref Utf8JsonReader reader, LineCounter lines, int line)
    {
        List<JsonMember> members = [];
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            (string name, int at) = (reader.GetString()!, lines.At(reader.TokenStartIndex));
            reader.Read();
            members.Add(new(name, at, Read(ref reader, lines)));
        }

        return new(line, JsonValueKind.Object, "an object") { Members = members };
    }

    // Positions ascend.
    private sealed class LineCounter(byte[] text)
    {
        private int _line = 1;
        private long _at;

        public int At(long position)
        {
            for (; _at < position; _at++)
                _line += text[_at] == '\n' ? 1 : 0;
            return _line;
        }
    }
}

/// <summary>A member of an object.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Line">The line of the name, from 1.</param>
/// <param name="Value">Its value.</param>
internal sealed record JsonMember(string Name, int Line, JsonNode Value);

/// <summary>The mistakes of a scenario file: all of them, each with its line.</summary>
/// <param name="path">The file.</param>
internal sealed class FileProblems(string path)
{
    private readonly List<(int Line, string Text)> _found = [];

    /// <summary>Every mistake, a line each, in the order of the file; equal ones once.</summary>
    public IReadOnlyList<string> Lines => [.. _found.OrderBy(one => one.Line)
        .Select(one => string.Create(CultureInfo.InvariantCulture, $"{path}:{one.Line}: {one.Text}")).Distinct()];

    /// <summary>Adds a mistake.</summary>
    public void Add(int line, string problem) => _found.Add((line, problem));
}
