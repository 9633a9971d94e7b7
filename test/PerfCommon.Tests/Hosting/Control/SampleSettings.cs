using System.Globalization;
using PerfTools.Hosting.Control;

namespace PerfCommon.Tests.Hosting.Control;

/// <summary>Two settings that depend on each other, and a record of the applied values.</summary>
internal sealed class SampleSettings
{
    public SampleSettings() => Settings = new RoleSettings<Limits>(
        new(1, 5), limits => limits.Least > limits.Most ? "least must not be above most" : null, Apply,
        [Create("least", o => o.Least, (o, v) => o with { Least = v }),
            Create("most", o => o.Most, (o, v) => o with { Most = v }) with { Min = 0, Max = 100 }]);

    public RoleSettings Settings { get; }

    public List<string> Applied { get; } = [];

    private static Setting<Limits> Create(string name, Func<Limits, int> read, Func<Limits, int, Limits> set) => new(
        name, "s", "a whole number from 0 to 100", o => read(o).ToString(CultureInfo.InvariantCulture),
        (o, text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int v) ? set(o, v) : null);

    private Limits Apply(Limits limits)
    {
        Applied.Add($"{limits.Least}..{limits.Most}");
        return limits;
    }

    private sealed record Limits(int Least, int Most);
}
