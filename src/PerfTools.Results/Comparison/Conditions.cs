using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfTools.Results.Comparison;

/// <summary>What two measurements must have in common for their figures to be compared: what was asked for, and the machine.</summary>
internal sealed record Conditions
{
    private const string Machine = "machine.";

    // A longer run is no other one, a domain only keeps tests apart, and what others did meanwhile is told where it matters.
    private static readonly string[] FreeInputs = ["seconds", "domain"];
    private static readonly string[] FreeFacts = ["foreignPercent", "loadBeforePercent", "toolsVersion", "commit"];

    private readonly IReadOnlyDictionary<string, string> _facts;

    private Conditions(IReadOnlyDictionary<string, string> facts) => _facts = facts;

    /// <summary>Those of the machine alone.</summary>
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

    /// <summary>True where both know the same, and say the same of it.</summary>
    public bool HasSameFactsAs(Conditions other) =>
        _facts.Count == other._facts.Count && _facts.All(fact => other._facts.GetValueOrDefault(fact.Key) == fact.Value);

    /// <summary>What differs, in order. A fact of the machine that one of them does not know is no difference.</summary>
    public static IReadOnlyList<Difference> FindDifferences(Conditions a, Conditions b) =>
    [
        .. from name in a._facts.Keys.Union(b._facts.Keys)
           let inA = a._facts.GetValueOrDefault(name)
           let inB = b._facts.GetValueOrDefault(name)
           where inA != inB && !(name.StartsWith(Machine, StringComparison.Ordinal) && (inA is null || inB is null))
           select new Difference(name.StartsWith(Machine, StringComparison.Ordinal) ? name[Machine.Length..] : name, inA, inB),
    ];
}

/// <summary>An option or a fact that is not the same in A and B.</summary>
/// <param name="Name">Its name in run.json.</param>
/// <param name="A">What A has; null for nothing.</param>
/// <param name="B">What B has; null for nothing.</param>
public sealed record Difference(string Name, string? A, string? B)
{
    private const string Nothing = "nothing";

    /// <summary>A line for people.</summary>
    public override string ToString() => $"{Name}: {A ?? Nothing} and {B ?? Nothing}";
}
