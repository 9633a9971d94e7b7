using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Control;

/// <summary>What of a running program may be changed, and the values that hold. Any thread.</summary>
internal abstract class RoleSettings
{
    /// <summary>Every setting with its value now.</summary>
    public abstract IReadOnlyList<SettingState> States { get; }

    /// <summary>Changes all of them or none.</summary>
    /// <param name="asked">Names and values; no name twice.</param>
    /// <param name="changes">What was changed.</param>
    /// <returns>Why nothing was changed, as a sentence; null when all was.</returns>
    public abstract string? TryChange(IReadOnlyList<(string Name, string Value)> asked, out IReadOnlyList<SettingChange> changes);
}

/// <summary>A setting as it is shown.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">The value that holds; null for something that is done and has none.</param>
/// <param name="Unit">Of its value; null for none.</param>
/// <param name="Kind">What may be given.</param>
/// <param name="Min">Least value, where there is one.</param>
/// <param name="Max">Greatest value, where there is one.</param>
internal sealed record SettingState(string Name, string? Value, string? Unit, string Kind, double? Min = null, double? Max = null);

/// <summary>A setting that was changed.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">What holds from now on, or was done.</param>
/// <param name="Was">What held before; null for something that is done.</param>
internal sealed record SettingChange(string Name, string Value, string? Was);

/// <summary>The settings of one program.</summary>
/// <typeparam name="T">All values together; immutable.</typeparam>
/// <param name="values">Those that hold at the start.</param>
/// <param name="findProblem">The first contradiction in values, as a sentence; null when there is none.</param>
/// <param name="apply">Has the workers take up new values at their next tick, without waiting for them; gives back those that hold.</param>
/// <param name="settings">What may be changed.</param>
internal sealed class RoleSettings<T>(T values, Func<T, string?> findProblem, Func<T, T> apply, IReadOnlyList<Setting<T>> settings)
    : RoleSettings
    where T : class
{
    private readonly Lock _lock = new(); // among those who ask; no worker knows it
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
