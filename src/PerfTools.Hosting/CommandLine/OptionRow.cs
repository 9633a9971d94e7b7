namespace PerfTools.Hosting.CommandLine;

/// <summary>One option of a tool: its names, its help, how it is read, and how it is shown.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="name">The name with one dash, as the guide writes it.</param>
/// <param name="valueName">What the help calls its value; null for a switch.</param>
/// <param name="kind">What a value must be, as the end of the sentence "'x' is not ...".</param>
/// <param name="help">What it does, in one line.</param>
/// <param name="read">The current value as it would be typed; null when there is none.</param>
/// <param name="apply">The options with a typed value put in; null when the text is no such value.</param>
/// <param name="synonyms">Further names with one dash.</param>
internal class OptionRow<T>(
    string name, string? valueName, string kind, string help, Func<T, string?> read, Func<T, string, T?> apply, string[] synonyms)
    where T : class
{
    private readonly List<string> _silentNames = [];
    private Func<T, string?>? _display;

    /// <summary>The name with one dash, as the guide writes it.</summary>
    public string Name => name;

    /// <summary>What the help calls its value; null for a switch.</summary>
    public string? ValueName => valueName;

    /// <summary>What a value must be, as the end of the sentence "'x' is not ...".</summary>
    public string Kind => kind;

    /// <summary>What it does, in one line.</summary>
    public string Help => help;

    /// <summary>Further names that the help shows.</summary>
    public IReadOnlyList<string> Synonyms => synonyms;

    /// <summary>Its label in the block of test inputs; null when another row speaks for it.</summary>
    public string? Label { get; private set; }

    /// <summary>What the help calls its default; null for the value of the defaults.</summary>
    public string? DefaultText { get; private set; }

    /// <summary>Why the option, known only to be refused, is refused; null for every other. Such a row is not part of the help.</summary>
    public string? Refusal { get; private init; }

    /// <summary>True when it may be given several times; each value is applied, in order.</summary>
    public bool IsRepeatable { get; private set; }

    /// <summary>All names, each with one and with two dashes.</summary>
    public IEnumerable<string> AllNames => synonyms.Prepend(name).Concat(_silentNames).SelectMany(n => new[] { n, "-" + n });

    /// <summary>Shows the option in the block of test inputs.</summary>
    /// <param name="label">The label, without its colon.</param>
    /// <param name="display">The value to show; null shows it as typed. A null result leaves the line out.</param>
    public virtual OptionRow<T> As(string label, Func<T, string?>? display = null)
    {
        (Label, _display) = (label, display);
        return this;
    }

    /// <summary>Calls the default something else in the help.</summary>
    /// <param name="text">The words for it; null for the value of the defaults.</param>
    public OptionRow<T> DefaultsTo(string? text)
    {
        DefaultText = text;
        return this;
    }

    /// <summary>Accepts another name that neither help nor suggestions mention.</summary>
    /// <param name="alias">The name with one dash.</param>
    public OptionRow<T> AlsoSilently(string alias)
    {
        _silentNames.Add(alias);
        return this;
    }

    /// <summary>Lets the option be given several times.</summary>
    public OptionRow<T> Repeatable()
    {
        IsRepeatable = true;
        return this;
    }

    /// <summary>A row for an option of other editions that is refused with a reason.</summary>
    /// <param name="name">The name with one dash.</param>
    /// <param name="reason">Why, as the end of the sentence.</param>
    internal static OptionRow<T> Refused(string name, string reason) =>
        new(name, "value", "", "", _ => null, (o, _) => o, []) { Refusal = reason };

    /// <summary>The current value as it would be typed; null when there is none.</summary>
    /// <param name="options">The options to read it from.</param>
    public string? Read(T options) => read(options);

    /// <summary>The value as the block of test inputs shows it; null when the line is left out.</summary>
    /// <param name="options">The options to read it from.</param>
    public string? Display(T options) => _display is null ? read(options) ?? "(none)" : _display(options);

    /// <summary>Says how the value is outside of its limits; null when it is not, or has none.</summary>
    /// <param name="options">The options to read it from.</param>
    public virtual string? FindProblem(T options) => null;

    /// <summary>The options with a typed value put in; null when the text is no such value.</summary>
    /// <param name="options">The options so far.</param>
    /// <param name="text">The value as typed; <c>true</c> for a switch without one.</param>
    public T? Apply(T options, string text) => apply(options, text);
}
