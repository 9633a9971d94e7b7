using System.Globalization;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.CommandLine;

internal partial class OptionTable<T>
{
    private const string YesNo = "true or false";

    /// <summary>Adds an option whose value is a whole number.</summary>
    /// <param name="name">The name with one dash.</param>
    /// <param name="value">What the help calls the value.</param>
    /// <param name="help">What it does, in one line.</param>
    /// <param name="get">Reads it from the options.</param>
    /// <param name="set">The options with it set.</param>
    /// <param name="synonyms">Further names with one dash.</param>
    public OptionRow<T> Number(
        string name, string value, string help, Func<T, int> get, Func<T, int, T> set, params string[] synonyms) =>
        Add(new(name, value, "a whole number", help, o => get(o).ToString(CultureInfo.InvariantCulture),
            (o, s) => int.TryParse(s, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int v) ? set(o, v) : null, synonyms));

    /// <summary>Adds an option whose value is a whole number and that may be absent.</summary>
    /// <inheritdoc cref="Number"/>
    public OptionRow<T> OptionalNumber(
        string name, string value, string help, Func<T, int?> get, Func<T, int?, T> set, params string[] synonyms) =>
        Add(new(name, value, "a whole number", help, o => get(o)?.ToString(CultureInfo.InvariantCulture),
            (o, s) => int.TryParse(s, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int v) ? set(o, v) : null, synonyms));

    /// <summary>Adds an option whose value is any text; null for none.</summary>
    /// <inheritdoc cref="Number"/>
    public OptionRow<T> Text(
        string name, string value, string help, Func<T, string?> get, Func<T, string, T> set, params string[] synonyms) =>
        Add(new(name, value, "a text", help, get, (o, s) => s.Length > 0 ? set(o, s) : null, synonyms));

    /// <summary>Adds an option that is on when it is named, or with <c>true</c>.</summary>
    /// <inheritdoc cref="Number"/>
    public OptionRow<T> Switch(string name, string help, Func<T, bool> get, Func<T, bool, T> set, params string[] synonyms) =>
        Add(new(name, null, YesNo, help, o => get(o) ? "Yes" : "No",
            (o, s) => bool.TryParse(s, out bool v) ? set(o, v) : null, synonyms));

    /// <summary>Adds an option whose value is a rate of stamped messages: a number or <c>all</c>.</summary>
    /// <inheritdoc cref="Number"/>
    public OptionRow<T> Rate(
        string name, string value, string help, Func<T, LatencyRate> get, Func<T, LatencyRate, T> set, params string[] synonyms) =>
        Add(new(name, value, "a whole number or all", help, o => get(o).ToString(),
            (o, s) => LatencyRate.TryParse(s, out LatencyRate v) ? set(o, v) : null, synonyms));

    /// <summary>Adds an option whose value is a number of threads or a list of processors.</summary>
    /// <inheritdoc cref="Number"/>
    public OptionRow<T> Threads(
        string name, string value, string help, Func<T, ThreadPlan> get, Func<T, ThreadPlan, T> set, params string[] synonyms) =>
        Add(new(name, value, "a number of threads from 1, -1, or a list of CPU numbers such as 1,3", help, o => get(o).ToString(),
            (o, s) => ThreadPlan.TryParse(s, out ThreadPlan? v) ? set(o, v!) : null, synonyms));

    /// <summary>Adds an option whose value is a password; it is never shown.</summary>
    /// <inheritdoc cref="Number"/>
    public OptionRow<T> Password(
        string name, string value, string help, Func<T, Secret> get, Func<T, Secret, T> set, params string[] synonyms) =>
        Add(new(name, value, "a text", help, _ => null, (o, s) => set(o, get(o).WithText(s)), synonyms));

    /// <summary>Adds an option whose value is one of a few words.</summary>
    /// <param name="name">The name with one dash.</param>
    /// <param name="value">What the help calls the value.</param>
    /// <param name="help">What it does, in one line.</param>
    /// <param name="words">The words, each with what it means; several words may mean the same, the first is shown.</param>
    /// <param name="get">Reads it from the options.</param>
    /// <param name="set">The options with it set.</param>
    /// <param name="synonyms">Further names with one dash.</param>
    public OptionRow<T> Choice<TChoice>(
        string name, string value, string help, IReadOnlyList<(string Word, TChoice Choice)> words,
        Func<T, TChoice> get, Func<T, TChoice, T> set, params string[] synonyms)
        where TChoice : struct
    {
        string kind = "one of " + string.Join(", ", words.DistinctBy(w => w.Choice).Select(w => w.Word));
        return Add(new(name, value, kind, help,
            o => words.First(w => w.Choice.Equals(get(o))).Word,
            (o, s) => words.Where(w => w.Word.Equals(s, StringComparison.OrdinalIgnoreCase)).ToArray() is [var found, ..]
                ? set(o, found.Choice) : null,
            synonyms));
    }

    /// <summary>Adds an option whose value some other type reads.</summary>
    /// <param name="name">The name with one dash.</param>
    /// <param name="value">What the help calls the value.</param>
    /// <param name="kind">What a value must be, as the end of the sentence "'x' is not ...".</param>
    /// <param name="help">What it does, in one line.</param>
    /// <param name="read">The current value as it would be typed; null when there is none.</param>
    /// <param name="apply">The options with a typed value put in; null when the text is no such value.</param>
    /// <param name="synonyms">Further names with one dash.</param>
    public OptionRow<T> Custom(
        string name, string value, string kind, string help, Func<T, string?> read, Func<T, string, T?> apply, params string[] synonyms) =>
        Add(new(name, value, kind, help, read, apply, synonyms));

    /// <summary>Knows options of other editions only to refuse them with a reason.</summary>
    /// <param name="reason">Why, as the end of the sentence.</param>
    /// <param name="names">Their names with one dash.</param>
    public void Refuse(string reason, params string[] names)
    {
        ArgumentNullException.ThrowIfNull(names);
        foreach (string name in names)
            Add(OptionRow<T>.Refused(name, reason));
    }

    private OptionRow<T> Add(OptionRow<T> row)
    {
        if (_rows.SelectMany(r => r.AllNames).Intersect(row.AllNames).FirstOrDefault() is { } taken)
            throw new InvalidOperationException($"{taken} is already an option of {tool}");
        _rows.Add(row);
        return row;
    }
}
