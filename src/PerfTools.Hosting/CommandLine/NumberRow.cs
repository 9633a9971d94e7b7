using System.Globalization;

namespace PerfTools.Hosting.CommandLine;

/// <summary>An option whose value is a whole number between two limits.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="name">The name with one dash, as the guide writes it.</param>
/// <param name="valueName">What the help calls its value.</param>
/// <param name="help">What it does, in one line.</param>
/// <param name="get">Reads it from the options; null, which is within all limits, when it is absent.</param>
/// <param name="set">The options with it set.</param>
/// <param name="synonyms">Further names with one dash.</param>
internal sealed class NumberRow<T>(
    string name, string valueName, string help, Func<T, int?> get, Func<T, int, T> set, string[] synonyms)
    : OptionRow<T>(name, valueName, "a whole number", help, o => get(o)?.ToString(CultureInfo.InvariantCulture),
        (o, s) => int.TryParse(s, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int v) ? set(o, v) : null, synonyms)
    where T : class
{
    private int _min = int.MinValue;
    private int _max = int.MaxValue;

    private string Range => (_min, _max) switch
    {
        (0, int.MaxValue) => "0 or more",
        (_, int.MaxValue) => $"at least {_min}",
        _ => $"{_min} to {_max}",
    };

    /// <summary>Refuses what is below the limit.</summary>
    /// <param name="min">The least allowed number.</param>
    public NumberRow<T> AtLeast(int min) => Within(min, int.MaxValue);

    /// <summary>Refuses what is outside of two limits.</summary>
    /// <param name="min">The least allowed number.</param>
    /// <param name="max">The greatest allowed number.</param>
    public NumberRow<T> Within(int min, int max)
    {
        (_min, _max) = (min, max);
        return this;
    }

    /// <inheritdoc/>
    public override NumberRow<T> As(string label, Func<T, string?>? display = null)
    {
        base.As(label, display);
        return this;
    }

    /// <inheritdoc/>
    public override string? FindProblem(T options) =>
        get(options) is int number && (number < _min || number > _max) ? $"{Name} must be {Range}" : null;
}
