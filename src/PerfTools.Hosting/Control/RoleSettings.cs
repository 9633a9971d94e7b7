using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Control;

/// <summary>The settings of a running program that may be changed, with their present values. Any thread.</summary>
internal abstract class RoleSettings
{
    /// <summary>Every setting with its present value.</summary>
    public abstract IReadOnlyList<SettingState> States { get; }

    /// <summary>Changes all of the named settings or none.</summary>
    /// <param name="asked">Names and values; no name twice.</param>
    /// <param name="changes">The changes made.</param>
    /// <returns>Why nothing was changed, as a sentence; null when all was.</returns>
    public abstract string? TryChange(IReadOnlyList<(string Name, string Value)> asked, out IReadOnlyList<SettingChange> changes);
}

/// <summary>A setting as it is shown.</summary>
/// <param name="Name">Name of the setting.</param>
/// <param name="Value">The present value; null for an action, which has none.</param>
/// <param name="Unit">Unit of the value; null for none.</param>
/// <param name="Kind">Description of valid values.</param>
/// <param name="Min">Minimum, where there is one.</param>
/// <param name="Max">Maximum, where there is one.</param>
internal sealed record SettingState(string Name, string? Value, string? Unit, string Kind, double? Min = null, double? Max = null);

/// <summary>A setting that was changed.</summary>
/// <param name="Name">Name of the setting.</param>
/// <param name="Value">The new value, or the action's.</param>
/// <param name="Was">The value before; null for an action.</param>
internal sealed record SettingChange(string Name, string Value, string? Was);

/// <summary>The settings of one program.</summary>
/// <typeparam name="T">All values together; immutable.</typeparam>
/// <param name="values">The values at the start.</param>
/// <param name="findProblem">Finds the first contradiction in values, as a sentence; null when there is none.</param>
/// <param name="apply">Passes new values to the workers for their next tick, without waiting for them; returns the values in force.</param>
/// <param name="settings">The settings that may be changed.</param>
internal sealed class RoleSettings<T>(T values, Func<T, string?> findProblem, Func<T, T> apply, IReadOnlyList<Setting<T>> settings)
    : RoleSettings
    where T : class
{
    private readonly Lock _lock = new(); // among clients; no worker knows it
    private T _values = values;

    public override IReadOnlyList<SettingState> States
    {
        get
        {
            T now = Volatile.Read(ref _values);
            return [.. settings.Select(one => new SettingState(one.Name, one.Read(now), one.Unit, one.Kind, one.Min, one.Max))];
        }
    }

    public override string? TryChange(IReadOnlyList<(string Name, string Value)> asked, out IReadOnlyList<SettingChange> changes)
    {
        changes = [];
        lock (_lock)
        {
            T before = _values, after = before;
            foreach ((string name, string text) in asked)
            {
                if (FindProblem(after, name, text, out after) is { } problem)
                    return problem;
            }

            if (findProblem(after) is { } contradiction)
                return contradiction;
            changes = [.. asked.Select(one => Describe(one.Name, one.Value, before, after))];
            if (!after.Equals(before))
                Volatile.Write(ref _values, apply(after));
            return null;
        }
    }

    private string? FindProblem(T values, string name, string text, out T changed)
    {
        changed = values;
        if (settings.FirstOrDefault(setting => setting.Name == name) is not { } found)
            return ClosestName.Refuse(name, "setting", settings.Select(setting => setting.Name), "GET /control lists them");
        T? applied = found.Apply(values, text);
        bool isNumber = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number);
        bool isInside = !isNumber || !(number < found.Min || number > found.Max);
        changed = applied ?? values;
        return applied is not null && isInside ? null : $"{name}: '{text}' is not {found.Kind}";
    }

    private SettingChange Describe(string name, string text, T before, T after)
    {
        Setting<T> setting = settings.First(one => one.Name == name);
        return new(name, setting.Read(after) ?? text, setting.Read(before));
    }
}
