using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Control;

/// <summary>One setting that may be changed while a program runs.</summary>
/// <typeparam name="T">The values of all settings; immutable.</typeparam>
/// <param name="Name">Its name in requests and events.</param>
/// <param name="Unit">Unit of its value; null for none.</param>
/// <param name="Kind">Description of valid values, after "is not".</param>
/// <param name="Read">Reads the present value; null for an action, which has none.</param>
/// <param name="Apply">Returns the values with a new one; null for an invalid text.</param>
internal sealed record Setting<T>(string Name, string? Unit, string Kind, Func<T, string?> Read, Func<T, string, T?> Apply)
    where T : class
{
    /// <summary>Minimum, where there is one.</summary>
    public double? Min { get; init; }

    /// <summary>Maximum, where there is one.</summary>
    public double? Max { get; init; }

    /// <summary>Creates the setting of an option that may also be changed later.</summary>
    /// <param name="table">The table with the option.</param>
    /// <param name="option">Name of the option, with the dash.</param>
    /// <param name="name">Name of the setting.</param>
    /// <param name="unit">Unit of the value; null for none.</param>
    public static Setting<T> Of(OptionTable<T> table, string option, string name, string? unit)
    {
        OptionRow<T> row = table.Rows.First(row => row.Name == option);
        return new(name, unit, row.Kind, row.Read, Apply);

        T? Apply(T values, string text) => row.Apply(values, text) is { } changed && row.FindProblem(changed) is null ? changed : null;
    }
}
