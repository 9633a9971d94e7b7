namespace PerfTools.Hosting.CommandLine;

/// <summary>One option of a tool: its names, its help, how it is read, and how it is shown.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="Name">The name with one dash, as the guide writes it.</param>
/// <param name="ValueName">Name of its value in the help; null for a switch.</param>
/// <param name="Kind">Description of a valid value, as the end of the sentence "'x' is not ...".</param>
/// <param name="Help">Its effect, in one line.</param>
/// <param name="Read">The current value as it would be typed; null when there is none.</param>
/// <param name="Apply">The options with a typed value set (<c>true</c> for a bare switch); null when the text is no valid value.</param>
/// <param name="Synonyms">Further names that the help shows.</param>
internal sealed record OptionRow<T>(
    string Name, string? ValueName, string Kind, string Help, Func<T, string?> Read, Func<T, string, T?> Apply, string[] Synonyms)
    where T : class
{
    private Func<T, string?>? _display;
    private int _min = int.MinValue;
    private int _max = int.MaxValue;

    /// <summary>The value of an option that is a whole number; null while it is absent.</summary>
    public Func<T, int?> Number { get; set; } = _ => null;

    /// <summary>Its label in the block of test inputs; null when another row shows its value.</summary>
    public string? Label { get; private set; }

    /// <summary>Text for its default in the help; null for the value of the defaults.</summary>
    public string? DefaultText { get; private set; }

    /// <summary>The reason why an option of other editions is refused; null for every other option. Such a row is not part of the help.</summary>
    public string? Refusal { get; private init; }

    /// <summary>The group of the help that lists it.</summary>
    public HelpGroup Group { get; private set; } = HelpGroup.Advanced;

    /// <summary>True when this version refuses every value but the default; the help does not list it.</summary>
    public bool IsNotYet { get; private set; }

    /// <summary>A hint for the message when its value is missing, empty for none; null where the value is optional: then it is <c>true</c>.</summary>
    public string? MissingHint { get; private set; } = "";

    /// <summary>True when it may be given several times; each value is applied, in order.</summary>
    public bool IsRepeatable => Values is not null;

    /// <summary>All values of an option that may be given several times, as they would be typed, where they are known; null for every other option.</summary>
    public Func<T, IReadOnlyList<string>>? Values { get; private set; }

    /// <summary>True for a password: on a command line it is visible to every user who can list processes.</summary>
    public bool IsSecret { get; private set; }

    /// <summary>The words that its value can be; none where it is no choice of words.</summary>
    public IReadOnlyList<string> Words { get; private set; } = [];

    /// <summary>All names, each with one and with two dashes.</summary>
    public IEnumerable<string> AllNames => Synonyms.Prepend(Name).SelectMany(n => new[] { n, "-" + n });

    private string Range => (_min, _max) switch
    {
        (0, int.MaxValue) => "0 or more",
        (_, int.MaxValue) => $"at least {_min}",
        _ => $"{_min} to {_max}",
    };

    /// <summary>Creates a row for an option of other editions that is refused with a reason, the end of the sentence.</summary>
    public static OptionRow<T> Refused(string name, string reason) =>
        new(name, "value", "", "", _ => null, (o, _) => o, []) { Refusal = reason };

    /// <summary>Shows the option in the block of test inputs.</summary>
    /// <param name="label">The label, without its colon.</param>
    /// <param name="display">Returns the value to show; null shows it as typed. A null result leaves the line out.</param>
    public OptionRow<T> As(string label, Func<T, string?>? display = null)
    {
        (Label, _display) = (label, display);
        return this;
    }

    /// <summary>Shows a number in the block of test inputs with its unit; 0, where it is allowed, means the default.</summary>
    public OptionRow<T> AsAmount(string label, string unit) =>
        As(label, o => Number(o) is 0 ? "0(use default)" : $"{Number(o)} {unit}");

    public OptionRow<T> DefaultsTo(string? text)
    {
        DefaultText = text;
        return this;
    }

    public OptionRow<T> In(HelpGroup group)
    {
        Group = group;
        return this;
    }

    public OptionRow<T> NotYet()
    {
        IsNotYet = true;
        return this;
    }

    public OptionRow<T> WithHint(string hint)
    {
        MissingHint = hint;
        return this;
    }

    public OptionRow<T> ValueOptional()
    {
        MissingHint = null;
        return this;
    }

    public OptionRow<T> Secret()
    {
        IsSecret = true;
        return this;
    }

    /// <summary>Sets the words that its value can be, for completion.</summary>
    public OptionRow<T> OfWords(IEnumerable<string> words)
    {
        Words = [.. words];
        return this;
    }

    /// <summary>Accepts it several times.</summary>
    /// <param name="values">All values so far, as they would be typed; null for none.</param>
    public OptionRow<T> Repeatable(Func<T, IReadOnlyList<string>>? values = null)
    {
        Values = values ?? (static _ => []);
        return this;
    }

    public OptionRow<T> AtLeast(int min) => Within(min, int.MaxValue);

    /// <summary>Refuses a number outside two limits.</summary>
    public OptionRow<T> Within(int min, int max)
    {
        (_min, _max) = (min, max);
        return this;
    }

    /// <summary>Returns the value as the block of test inputs shows it; null when the line is left out.</summary>
    public string? Display(T options) => _display is null ? Read(options) ?? "(none)" : _display(options);

    /// <summary>Describes how the number exceeds its limits; null when it does not, or there is none.</summary>
    public string? FindProblem(T options) =>
        Number(options) is int number && (number < _min || number > _max) ? $"{Name} must be {Range}" : null;
}
