using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>Adds rows whose values have a type of this folder; the parameters are those of <see cref="OptionRows{T, TPart}"/>.</summary>
internal static class ValueRows
{
    /// <summary>Adds an option whose value is a rate of stamped messages: a number or <c>all</c>.</summary>
    public static OptionRow<T> Rate<T, TPart>(
        this OptionRows<T, TPart> rows, string name, string value, string help, Func<TPart, LatencyRate> get, Func<TPart, LatencyRate, TPart> set)
        where T : class
        where TPart : class =>
        rows.Custom(name, value, "a whole number or all", help, part => get(part).ToString(),
            (part, text) => LatencyRate.TryParse(text, out LatencyRate rate) ? set(part, rate) : null);

    /// <summary>Adds an option whose value is a password; it is never shown.</summary>
    public static OptionRow<T> Password<T, TPart>(
        this OptionRows<T, TPart> rows, string name, string value, string help, Func<TPart, Secret> get, Func<TPart, Secret, TPart> set)
        where T : class
        where TPart : class =>
        rows.Custom(name, value, "a text", help, _ => null, (part, text) => set(part, get(part).WithText(text))).Secret();
}
