using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Control;

/// <summary>One thing that may be changed while a program runs.</summary>
/// <typeparam name="T">The values that it is one of; immutable.</typeparam>
/// <param name="Name">Its name in requests and events.</param>
/// <param name="Unit">Of its value; null for none.</param>
/// <param name="Kind">What may be given, after "is not".</param>
/// <param name="Read">The value that holds; null for something that is done and has none.</param>
/// <param name="Apply">The values with another; null for a text that is none.</param>
internal sealed record Setting<T>(string Name, string? Unit, string Kind, Func<T, string?> Read, Func<T, string, T?> Apply)
    where T : class
{
    /// <summary>Least value, where there is one.</summary>
    public double? Min { get; init; }

    /// <summary>Greatest value, where there is one.</summary>
    public double? Max { get; init; }

    /// <summary>An option that may also be changed later.</summary>
    /// <param name="table">Has it.</param>
    /// <param name="option">Its name, with the dash.</param>
    /// <param name="name">That of the setting.</param>
    /// <param name="unit">Of its value; null for none.</param>
    public static Setting<T> Of(OptionTable<T> table, string option, string name, string? unit)
    {
        OptionRow<T> row = table.Rows.First(row => row.Name == option);
        return new(name, unit, row.Kind, row.Read, Apply);

        T? Apply(T values, string text) => row.Apply(values, text) is { } changed && row.FindProblem(changed) is null ? changed : null;
    }
}
