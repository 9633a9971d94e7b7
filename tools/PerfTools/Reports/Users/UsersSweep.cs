using System.Globalization;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;

namespace PerfTools.Reports.Users;

/// <summary>The ramps of one load in which one parameter has several values, and which of them is the best.</summary>
/// <remarks>
/// Ramps that differ in other parameters too are compared only among those with equal others: with two values of a and two of b, each
/// value of a occurs once with each value of b.
/// </remarks>
internal sealed record UsersSweep
{
    /// <summary>The load.</summary>
    public required UsersLoad Load { get; init; }

    /// <summary>The parameter.</summary>
    public required string Parameter { get; init; }

    /// <summary>The ramps, by their values in the order of their size.</summary>
    public required IReadOnlyList<FinishedVariant> Variants { get; init; }

    /// <summary>The maximum number of users that every ramp was measured with; null when there is no such number.</summary>
    public required int? ComparedUsers { get; init; }

    /// <summary>
    /// The ramp that held the most users, of several the one with the lowest mean at <see cref="ComparedUsers"/>; null when none held any.
    /// </summary>
    public required FinishedVariant? Best { get; init; }

    /// <summary>Finds all sweeps of a suite, in the order of loads and parameters.</summary>
    public static IReadOnlyList<UsersSweep> Find(IReadOnlyList<FinishedVariant> variants) =>
    [
        .. from load in variants.GroupBy(done => done.Variant.Load.Name)
           from parameter in UsersParameters.Names
           let own = FindOwn([.. load], parameter)
           where own.Length > 0
           select Create(own, parameter),
    ];

    /// <summary>The value of the parameter in one of the ramps.</summary>
    public string ValueOf(FinishedVariant done) => ValueOf(done, Parameter);

    /// <summary>The other parameters that differ, with the values of one ramp; empty when there are none.</summary>
    public string OthersOf(FinishedVariant done) => string.Join(", ", UsersParameters.Names
        .Where(name => name != Parameter && Variants.Select(other => ValueOf(other, name)).Distinct().Count() > 1)
        .Select(name => $"{name} {ValueOf(done, name)}"));

    /// <summary>The step at which all ramps are compared; null where a ramp has none.</summary>
    public StepRow? ComparedStepOf(FinishedVariant done) => done.Steps.FirstOrDefault(step => step.UsersAsked == ComparedUsers);

    /// <summary>Describes the result in a line for people.</summary>
    public string Describe()
    {
        if (Best is not { } best)
            return $"sweep of {Parameter} ({Load.Title}): no ramp held its first step";
        string with = OthersOf(best) is { Length: > 0 } others ? $" with {others}" : "";
        string mean = ComparedStepOf(best) is { } step
            ? string.Create(CultureInfo.InvariantCulture, $", mean {StepRow.Millis(step.MeanMicros)} ms at {step.UsersAsked:N0} users") : "";
        return string.Create(CultureInfo.InvariantCulture,
            $"sweep of {Parameter} ({Load.Title}): best {ValueOf(best)}{with}, "
                + $"{(best.Document.Capacity!.IsAtLeast ? "at least " : "")}{best.Document.Capacity.Users:N0} users{mean}{Doubt}");
    }

    /// <summary>The reason for doubt about the comparison, as the end of a sentence; empty for none.</summary>
    public string Doubt => Variants.SelectMany(done => done.Steps).Select(step => step.Disturbance).FirstOrDefault(found => found is not null)
        is { } disturbance ? $"; doubtful: {disturbance}" : "";

    // The ramps that differ in this parameter and in no other from at least one more.
    private static FinishedVariant[] FindOwn(FinishedVariant[] load, string parameter) =>
        [.. load.GroupBy(done => string.Join('\n', done.Variant.Parameters.All.Where(row => row.Name != parameter)))
            .Where(alike => alike.Select(done => ValueOf(done, parameter)).Distinct().Count() > 1)
            .SelectMany(alike => alike)];

    private static UsersSweep Create(FinishedVariant[] own, string parameter)
    {
        int[] users = [.. own.Select(done => done.Steps.Select(step => step.UsersAsked)).Aggregate((all, next) => all.Intersect(next))];
        UsersSweep sweep = new()
        {
            Load = own[0].Variant.Load,
            Parameter = parameter,
            Variants = [.. own.OrderBy(done => Size(ValueOf(done, parameter)))],
            ComparedUsers = users.Length > 0 ? users.Max() : null,
            Best = null,
        };
        return sweep with
        {
            Best = sweep.Variants.Where(done => done.Document.Capacity is not null)
                .OrderByDescending(done => done.Document.Capacity!.Users)
                .ThenBy(done => sweep.ComparedStepOf(done)?.MeanMicros ?? double.MaxValue).FirstOrDefault(),
        };
    }

    private static string ValueOf(FinishedVariant done, string parameter) =>
        done.Variant.Parameters.All.First(row => row.Name == parameter).Value is { Length: > 0 } value ? value : "default";

    // Values that are words stay in the order of the ramps.
    private static double Size(string value) =>
        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) ? number : 0;
}
