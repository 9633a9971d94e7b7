using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Results.Comparison;

/// <summary>The conditions that two measurements must share for their figures to be compared: their inputs and their machine.</summary>
internal sealed record Conditions
{
    private const string Machine = "machine.";

    // Excluded: a longer run measures the same, a domain only separates tests, and other processes' load is reported where it matters.
    private static readonly string[] FreeInputs = ["seconds", "domain"];
    private static readonly string[] FreeFacts = ["foreignPercent", "loadBeforePercent", "toolsVersion", "commit"];

    private readonly IReadOnlyDictionary<string, string> _facts;

    private Conditions(IReadOnlyDictionary<string, string> facts) => _facts = facts;

    /// <summary>The conditions of the machine alone.</summary>
    public Conditions OfMachine => new(_facts.Where(fact => fact.Key.StartsWith(Machine, StringComparison.Ordinal)).ToDictionary());

    public static Conditions Of(RunDocument run)
    {
        IEnumerable<(string Name, string Text)> inputs =
            run.Inputs.Where(input => !FreeInputs.Contains(input.Key)).SelectMany(input => FlatFacts.Of(input.Key, input.Value));
        IEnumerable<(string Name, string Text)> facts =
            FlatFacts.Of("",
                JsonSerializer.SerializeToElement(run.Machine, RunJson.Default.MachineDescription)).Where(fact => !FreeFacts.Contains(fact.Name))
                .Select(fact => (Machine + fact.Name, fact.Text));
        return new(inputs.Prepend(("scenario", run.Scenario)).Concat(facts).DistinctBy(fact => fact.Item1).ToDictionary());
    }

    /// <summary>True where both contain the same facts with the same values.</summary>
    public bool HasSameFactsAs(Conditions other) =>
        _facts.Count == other._facts.Count && _facts.All(fact => other._facts.GetValueOrDefault(fact.Key) == fact.Value);

    /// <summary>Lists the differences, in order. A fact of the machine that one side does not know is no difference.</summary>
    public static IReadOnlyList<Difference> FindDifferences(Conditions a, Conditions b) =>
    [
        .. from name in a._facts.Keys.Union(b._facts.Keys)
           let inA = a._facts.GetValueOrDefault(name)
           let inB = b._facts.GetValueOrDefault(name)
           where inA != inB && !(name.StartsWith(Machine, StringComparison.Ordinal) && (inA is null || inB is null))
           select new Difference(name.StartsWith(Machine, StringComparison.Ordinal) ? name[Machine.Length..] : name, inA, inB),
    ];
}

/// <summary>An option or a fact that differs between A and B.</summary>
/// <param name="Name">Name of the option or fact in run.json.</param>
/// <param name="A">A's value; null for none.</param>
/// <param name="B">B's value; null for none.</param>
public sealed record Difference(string Name, string? A, string? B)
{
    private const string Nothing = "nothing";

    /// <summary>Formats the difference as a human-readable line.</summary>
    public override string ToString() => $"{Name}: {A ?? Nothing} and {B ?? Nothing}";
}
