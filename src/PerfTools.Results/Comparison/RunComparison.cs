using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Results.Comparison;

/// <summary>The comparison of two measurements, figure by figure. A change counts when it is large enough, and chance does not explain it.</summary>
/// <remarks>
/// Large enough: above 2 %, for latencies 5 %. Not explained by chance: its 95 % interval excludes 0 after Holm's correction over all figures. So in
/// 95 of 100 comparisons of equal measurements with twenty figures, none counts as changed.
/// </remarks>
public sealed class RunComparison
{
    private const double Chance = 0.05;
    private const int MaxReasons = 3;

    private RunComparison(RunSet a, RunSet b, IReadOnlyList<Difference> differences, IReadOnlyList<FigureChange> figures) =>
        (A, B, Differences, Figures) = (a, b, differences, figures);

    /// <summary>The side that is compared with.</summary>
    public RunSet A { get; }

    /// <summary>The side that is compared.</summary>
    public RunSet B { get; }

    /// <summary>The options and facts of the machine that differ and must not; none where the two can be compared.</summary>
    public IReadOnlyList<Difference> Differences { get; }

    /// <summary>Every figure of either side.</summary>
    public IReadOnlyList<FigureChange> Figures { get; }

    /// <summary>The result in one word: the figures' verdict where they agree, or <c>mixed</c>.</summary>
    public string Verdict => (Has(ChangeWord.Better), Has(ChangeWord.Worse), Has(ChangeWord.Same)) switch
    {
        (true, true, _) => "mixed",
        (true, _, _) => ChangeWord.Better.Text(),
        (_, true, _) => ChangeWord.Worse.Text(),
        (_, _, true) => ChangeWord.Same.Text(),
        _ => ChangeWord.NotComparable.Text(),
    };

    /// <summary>Why nothing could be compared, in one sentence; null where something was.</summary>
    public string? Reason { get; private init; }

    /// <summary>Compares two measurements that should have one configuration and one machine.</summary>
    /// <param name="a">The side that is compared with.</param>
    /// <param name="b">The side that is compared.</param>
    /// <param name="named">Figures of single roles in addition to those of the run: <c>role.figure</c> each, or <c>all</c>; null for none.</param>
    public static RunComparison Of(RunSet a, RunSet b, IReadOnlyList<string>? named = null) =>
        Of(a, b, Conditions.FindDifferences(a.Conditions, b.Conditions), named ?? []);

    /// <summary>Compares two configurations that differ on purpose; only the machine must be the same.</summary>
    /// <inheritdoc cref="Of(RunSet, RunSet, IReadOnlyList{string}?)"/>
    public static RunComparison OfConfigurations(RunSet a, RunSet b, IReadOnlyList<string>? named = null) =>
        Of(a, b, Conditions.FindDifferences(a.Conditions.OfMachine, b.Conditions.OfMachine), named ?? []);

    private static RunComparison Of(RunSet a, RunSet b, IReadOnlyList<Difference> differences, IReadOnlyList<string> named)
    {
        string? reason = a.Problem ?? b.Problem ?? Describe(differences) ?? RunPlacement.FindConflict(a.Placements, b.Placements);
        IReadOnlyList<ComparedFigure> figures = [.. ComparedFigure.Of([.. a.Roles.Union(b.Roles)]),
            .. SizedFigures.Of(a.Sizes.Union(b.Sizes)), .. FindNamed(a, b, named)];
        Candidate[] candidates = [.. figures.Select(figure => new Candidate(figure, a, b)).Where(candidate => candidate.IsKnown)];
        if (reason is not null)
            return new(a, b, differences, [.. candidates.Select(candidate => candidate.Refuse(reason))]) { Reason = reason };
        Dictionary<Candidate, double> noise = CorrectByHolm(candidates);
        return new(a, b, differences,
            [.. candidates.Select(candidate => candidate.Judge(noise.TryGetValue(candidate, out double value) ? value : null))]);
    }

    private static IEnumerable<ComparedFigure> FindNamed(RunSet a, RunSet b, IReadOnlyList<string> named) =>
        new[] { a, b }.Where(side => side.First is not null).SelectMany(side => RoleNumbers.Find(side.First!, named))
            .DistinctBy(figure => figure.Name).Where(figure => named.Contains(figure.Name) || figure.Read(a.Sums.Whole) > 0 || figure.Read(b.Sums.Whole) > 0);

    private static string? Describe(IReadOnlyList<Difference> differences) => differences.Count == 0 ? null
        : string.Join("; ", differences.Take(MaxReasons).Select(difference => difference.ToString()))
            + (differences.Count > MaxReasons
                ? string.Create(CultureInfo.InvariantCulture, $"; {differences.Count - MaxReasons} more") : "");

    // The most certain of m figures must hold against m chances, the next against m - 1, and so on; after the first that fails, all fail.
    private static Dictionary<Candidate, double> CorrectByHolm(IEnumerable<Candidate> candidates)
    {
        Candidate[] sorted = [.. candidates.Where(candidate => candidate.Chance is not null).OrderBy(candidate => candidate.Chance)];
        Dictionary<Candidate, double> noise = [];
        bool holds = true;
        for (int i = 0; i < sorted.Length; i++)
        {
            double allowed = Chance / (sorted.Length - i);
            holds &= sorted[i].Chance <= allowed;
            double half = StudentDistribution.Quantile(allowed, sorted[i].Degrees) * sorted[i].LogError;
            noise[sorted[i]] = holds ? half : Math.Max(half, Math.Abs(sorted[i].LogChange));
        }

        return noise;
    }

    private bool Has(ChangeWord word) => Figures.Any(figure => figure.Word == word);

    // A figure of both sides before its verdict.
    private sealed class Candidate(ComparedFigure figure, RunSet a, RunSet b)
    {
        private readonly Estimate? _a = Estimate.Of(figure, a.Sums);
        private readonly Estimate? _b = Estimate.Of(figure, b.Sums);

        public bool IsKnown => _a is not null || _b is not null || AreBothNothing;

        // True for a named figure whose count is 0 on both sides.
        private bool AreBothNothing => figure.Read(a.Sums.Whole) is 0 && figure.Read(b.Sums.Whole) is 0 && figure.IsOfRole;

        public double LogChange => Math.Log(_b!.Value / _a!.Value);

        public double LogError => Math.Sqrt(_a!.LogVariance!.Value + _b!.LogVariance!.Value + _a.StepVariance + _b.StepVariance);

        // Welch and Satterthwaite
        public double Degrees
        {
            get
            {
                double va = _a!.LogVariance!.Value, vb = _b!.LogVariance!.Value;
                double weighed = (va * va / _a.Degrees) + (vb * vb / _b.Degrees);
                return weighed > 0 ? (va + vb) * (va + vb) / weighed : _a.Degrees + _b.Degrees;
            }
        }

        /// <summary>The probability of such a change by chance alone; null where that cannot be computed.</summary>
        public double? Chance => FindTrouble() is not null ? null
            : LogError > 0 ? StudentDistribution.TwoSided(LogChange / LogError, Degrees) : LogChange == 0 ? 1 : 0;

        public FigureChange Refuse(string reason) =>
            new() { Figure = figure, A = Shown(_a, a), B = Shown(_b, b), Word = ChangeWord.NotComparable, Reason = reason };

        public FigureChange Judge(double? logNoise)
        {
            if (AreBothNothing)
                return new() { Figure = figure, A = 0, B = 0, Word = ChangeWord.Same };
            if (logNoise is not { } noise)
                return Refuse(FindTrouble()!);
            bool isOfClock = figure.IsOneWay && Math.Abs(_b!.Value - _a!.Value) < a.ClockBoundMicros + b.ClockBoundMicros;
            return new()
            {
                Figure = figure,
                A = _a!.Value,
                B = _b!.Value,
                NoisePercent = 100 * Math.Abs(Math.Exp(LogChange < 0 ? -noise : noise) - 1),
                Reason = isOfClock ? "within the clock's bound" : null,
                Word = isOfClock || Math.Abs(LogChange) <= noise || Math.Abs((_b.Value / _a.Value) - 1) <= figure.MinChange ? ChangeWord.Same
                    : figure.IsNeutral ? ChangeWord.Changed
                    : LogChange > 0 == figure.IsGain ? ChangeWord.Better : ChangeWord.Worse,
            };
        }

        private string? FindTrouble() => FindTrouble(_a, a) ?? FindTrouble(_b, b);

        private string? FindTrouble(Estimate? estimate, RunSet set) => estimate switch
        {
            null => $"{set.Name} has none",
            _ when !HasSamples(set) =>
                string.Create(CultureInfo.InvariantCulture,
                    $"{set.Name} has {figure.Samples!.Value.Of(set.Sums.Whole).Count:N0} samples, {figure.Samples.Value.Needed:N0} needed"),
            { LogVariance: null } => $"{set.Name} has one value of it; --repeat makes several",
            _ => null,
        };

        private bool HasSamples(RunSet set) => figure.Samples is not { } samples || samples.Of(set.Sums.Whole).Count >= samples.Needed;

        private double? Shown(Estimate? estimate, RunSet set) => HasSamples(set) ? estimate?.Value : null;
    }
}
