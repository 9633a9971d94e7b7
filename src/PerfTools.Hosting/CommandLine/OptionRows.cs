using System.Globalization;

namespace PerfTools.Hosting.CommandLine;

/// <summary>Adds the rows of one record to a table: the record of all options of a tool, or of a part of them.</summary>
/// <remarks>
/// Parameters in all methods: name has one dash; value is the name of the value in the help; help describes the option in one line; get reads the
/// value from the record, set returns the record with it set; synonyms are further names.
/// </remarks>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <typeparam name="TPart">The record that the rows are written for.</typeparam>
/// <param name="rows">The rows of the table.</param>
/// <param name="recordOf">Returns the record from the tool's options.</param>
/// <param name="change">Returns the tool's options with the record changed.</param>
internal class OptionRows<T, TPart>(List<OptionRow<T>> rows, Func<T, TPart> recordOf, Func<T, Func<TPart, TPart>, T> change)
    where T : class
    where TPart : class
{
    /// <summary>The rows so far, refused ones included.</summary>
    protected IReadOnlyList<OptionRow<T>> All => rows;

    /// <summary>Adds the rows of a part of this record to the same table.</summary>
    public OptionRows<T, TInner> Part<TInner>(Func<TPart, TInner> get, Func<TPart, TInner, TPart> set)
        where TInner : class =>
        SharedPart(get, (part, changeInner) => set(part, changeInner(get(part))));

    /// <summary>Adds the rows of a part that this record contains more than once.</summary>
    /// <param name="get">Reads one of the parts from the record.</param>
    /// <param name="changeAll">Returns the record with all of them changed.</param>
    public OptionRows<T, TInner> SharedPart<TInner>(Func<TPart, TInner> get, Func<TPart, Func<TInner, TInner>, TPart> changeAll)
        where TInner : class =>
        new(rows, o => get(recordOf(o)), (o, changeInner) => change(o, part => changeAll(part, changeInner)));

    public OptionRow<T> Number(
        string name, string value, string help, Func<TPart, int> get, Func<TPart, int, TPart> set, params string[] synonyms) =>
        OptionalNumber(name, value, help, part => get(part), set, synonyms);

    /// <summary>Adds an option whose value is a whole number and that may be absent.</summary>
    public OptionRow<T> OptionalNumber(
        string name, string value, string help, Func<TPart, int?> get, Func<TPart, int, TPart> set, params string[] synonyms)
    {
        OptionRow<T> row = Custom(name, value, "a whole number", help, part => get(part)?.ToString(CultureInfo.InvariantCulture),
            (part, text) => int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int v)
                ? set(part, v) : null,
            synonyms);
        row.Number = o => get(recordOf(o));
        return row;
    }

    /// <summary>Adds an option whose value is any text; null for none.</summary>
    public OptionRow<T> Text(
        string name, string value, string help, Func<TPart, string?> get, Func<TPart, string, TPart> set, params string[] synonyms) =>
        Custom(name, value, "a text", help, get, (part, text) => text.Length > 0 ? set(part, text) : null, synonyms);

    /// <summary>Adds an option that is on when it is named, or with <c>true</c>.</summary>
    public OptionRow<T> Switch(string name, string help, Func<TPart, bool> get, Func<TPart, bool, TPart> set, params string[] synonyms) =>
        Custom(name, null, "true or false", help, part => get(part) ? "Yes" : "No",
            (part, text) => bool.TryParse(text, out bool isOn) ? set(part, isOn) : null, synonyms);

    /// <summary>Adds an option whose value is one of a few words; several words may mean the same, the first is shown.</summary>
    public OptionRow<T> Choice<TChoice>(
        string name, string value, string help, IReadOnlyList<ChoiceWord<TChoice>> words,
        Func<TPart, TChoice> get, Func<TPart, TChoice, TPart> set, params string[] synonyms)
        where TChoice : struct
    {
        string WordOf(TChoice choice) => words.First(w => w.Choice.Equals(choice)).Word;
        string[] shown = [.. words.Select(w => WordOf(w.Choice)).Distinct()];
        return Custom(name, value, "one of " + string.Join(", ", shown), help,
            part => WordOf(get(part)),
            (part, text) => words.FirstOrDefault(w => w.Word.Equals(text, StringComparison.OrdinalIgnoreCase)) is { } found
                ? set(part, found.Choice) : null,
            synonyms).OfWords(shown);
    }

    /// <summary>Adds an option whose value some other type reads; the parameters are those of <see cref="OptionRow{T}"/>.</summary>
    public OptionRow<T> Custom(
        string name, string? value, string kind, string help, Func<TPart, string?> read, Func<TPart, string, TPart?> apply,
        params string[] synonyms) =>
        Add(new(name, value, kind, help, o => read(recordOf(o)),
            (o, text) => apply(recordOf(o), text) is null ? null : change(o, part => apply(part, text)!), synonyms));

    /// <summary>Adds options of other editions that are only refused, with a reason, the end of the sentence.</summary>
    public void Refuse(string reason, params string[] names)
    {
        foreach (string name in names)
            Add(OptionRow<T>.Refused(name, reason));
    }

    private OptionRow<T> Add(OptionRow<T> row)
    {
        if (rows.SelectMany(r => r.AllNames).Intersect(row.AllNames).FirstOrDefault() is { } taken)
            throw new InvalidOperationException($"{taken} is already an option");
        rows.Add(row);
        return row;
    }
}
