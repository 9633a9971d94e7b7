using System.Globalization;
using System.Text;

namespace PerfCommon.Workers;

/// <summary>The level of a notice.</summary>
public enum NoticeLevel
{
    /// <summary>The course of a run: a connection, a login, items.</summary>
    Information,

    /// <summary>A failure, a loss, or a limit that was reached.</summary>
    Warning,
}

/// <summary>A kind of notice. The kinds are listed in docs/library.md; ids and names stay.</summary>
public sealed class NoticeKind
{
    private readonly string _format; // as string.Format reads it
    private readonly string? _causeFormat;

    private NoticeKind(int id, string name, NoticeLevel level, string template, string? cause)
    {
        (Id, Name, Level, Template) = (id, name, level, template);
        List<string> fields = [];
        _format = Number(template, fields);
        _causeFormat = cause is null ? null : Number(cause, fields);
        FieldNames = fields;
    }

    /// <summary>The number: 101 to 199 of PerfCommon, 201 to 299 of PerfHub, from 301 of the tools.</summary>
    public int Id { get; }

    /// <summary>The name, such as <c>ConnectionLost</c>.</summary>
    public string Name { get; }

    /// <summary>The level.</summary>
    public NoticeLevel Level { get; }

    /// <summary>The sentence with its fields in braces, such as <c>Connection lost: {Reason}</c>.</summary>
    public string Template { get; }

    /// <summary>The names of the fields, in the order of their values.</summary>
    internal IReadOnlyList<string> FieldNames { get; }

    /// <summary>Creates a kind that tells the course of a run.</summary>
    /// <param name="id">Its number: of a program from 301.</param>
    /// <param name="name">Its name.</param>
    /// <param name="template">Its sentence, with its fields in braces.</param>
    public static NoticeKind Information(int id, string name, string template) => new(id, name, NoticeLevel.Information, template, cause: null);

    /// <summary>Creates a kind that explains a failure.</summary>
    /// <param name="id">Its number: of a program from 301.</param>
    /// <param name="name">Its name.</param>
    /// <param name="template">Its sentence, with its fields in braces.</param>
    /// <param name="cause">The kind of failure and its reason without details, with fields of few values only: notices are limited by it. Null where a
    /// peer cannot cause many.</param>
    public static NoticeKind Warning(int id, string name, string template, string? cause = null) => new(id, name, NoticeLevel.Warning, template, cause);

    /// <summary>Formats the sentence.</summary>
    internal string Format(object?[] values) => string.Format(CultureInfo.InvariantCulture, _format, values);

    /// <summary>Formats the cause; null for a kind without one.</summary>
    internal string? FormatCause(object?[] values) => _causeFormat is { } cause ? string.Format(CultureInfo.InvariantCulture, cause, values) : null;

    // {Name} and {Name:F1} become {0} and {0:F1}: the same name the same number.
    private static string Number(string template, List<string> fields)
    {
        StringBuilder format = new();
        int from = 0;
        for (int open = template.IndexOf('{', StringComparison.Ordinal); open >= 0; open = template.IndexOf('{', from))
        {
            int end = template.IndexOfAny([':', '}'], open);
            string name = template[(open + 1)..end];
            if (!fields.Contains(name))
                fields.Add(name);
            format.Append(template, from, open + 1 - from).Append(CultureInfo.InvariantCulture, $"{fields.IndexOf(name)}");
            from = end;
        }

        return format.Append(template, from, template.Length - from).ToString();
    }
}

/// <summary>An event of connections or items that people may want to know.</summary>
public sealed class Notice
{
    private readonly object?[] _values;

    internal Notice(NoticeKind kind, ReadOnlySpan<object?> values)
    {
        if (values.Length != kind.FieldNames.Count)
            throw new ArgumentException($"{kind.Name} has {kind.FieldNames.Count} fields.", nameof(values));
        (Kind, _values) = (kind, values.ToArray());
        (Text, Cause) = (kind.Format(_values), kind.FormatCause(_values));
    }

    /// <summary>What it is: id, name, level, template.</summary>
    public NoticeKind Kind { get; }

    /// <summary>The sentence.</summary>
    public string Text { get; }

    /// <summary>The fields of the sentence by name.</summary>
    public IReadOnlyList<KeyValuePair<string, object?>> Fields => [.. Kind.FieldNames.Select((name, i) => KeyValuePair.Create(name, _values[i]))];

    /// <summary>The kind of failure and its reason, where it explains one: such notices are limited per cause. Else null.</summary>
    internal string? Cause { get; }

    /// <summary>Returns the sentence.</summary>
    public override string ToString() => Text;
}
