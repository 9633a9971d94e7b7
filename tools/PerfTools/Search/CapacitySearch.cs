namespace PerfTools.Search;

/// <summary>
/// Finds the maximum value at which a system keeps its thresholds: brackets it by doubling, bisects, confirms it by three runs.
/// </summary>
/// <remarks>
/// It knows no process and no clock, only measurements. Rules: a miss is repeated before it counts; a value is accepted when three runs
/// in a row keep it, and one miss of these is enough to step down; a disturbed run does not count and is repeated.
/// </remarks>
/// <param name="range">The permitted values.</param>
/// <param name="budget">The limit of the measurements.</param>
/// <param name="measure">Measures a value; null when that was interrupted.</param>
internal sealed class CapacitySearch(SearchRange range, SearchBudget budget, Func<SearchStep, SearchSample?> measure)
{
    /// <summary>The number of runs in a row that confirm a value.</summary>
    public const int Confirmations = 3;

    // The measurements that bracket and bisection leave in the budget: a first attempt to confirm, and a second, which a single miss ends early.
    private const int Reserved = Confirmations + 2;

    private const int MaxDropped = 5; // in a row: then the machine is unfit for measuring
    private const int MaxMisplaced = 3; // in a row: then the placement has changed for good

    /// <summary>Receives each measurement when it is over, dropped or not.</summary>
    public Action<SearchSample> Measured { get; init; } = static _ => { };

    private readonly List<SearchSample> _samples = [];
    private readonly List<SearchSample> _dropped = [];
    private int? _kept;
    private int? _missed;
    private int? _confirmed;
    private string? _placement;
    private SearchEnd _end = SearchEnd.Found;

    /// <summary>Searches until the answer is known, the budget ends, or nothing more can be measured.</summary>
    public SearchAnswer Find()
    {
        if (Bracket() && Narrow())
            Confirm();
        int? value = _confirmed ?? FindKept();
        return new()
        {
            Value = value,
            IsConfirmed = _confirmed is not null,
            Kept = _kept,
            Missed = _missed,
            Interval = CapacityEstimate.Of(_samples, value),
            End = _end,
            Samples = _samples,
            Dropped = _dropped,
            Placement = _placement,
            Seconds = budget.Spent,
        };
    }

    private bool Bracket()
    {
        int value = Math.Clamp(range.First, range.Min, range.Max);
        while (_kept is null || _missed is null)
        {
            if (Judge(value, SearchStage.Bracket) is not { } isKept)
                return _kept is not null && _end == SearchEnd.Budget;
            if (isKept && value == range.Max)
                return true;
            if (!isKept && value == range.Min)
                return false;
            value = isKept ? range.Double(value) : range.Halve(value);
        }

        return true;
    }

    // When time runs short it stops with a wide interval, and leaves the time to confirm the lower end.
    private bool Narrow()
    {
        _placement = _samples.LastOrDefault(sample => sample.Value == _kept)?.Placement;
        while (_end == SearchEnd.Found && _missed is { } missed && range.Between(_kept!.Value, missed) is { } middle)
        {
            if (Judge(middle, SearchStage.Narrow) is null)
                break;
        }

        return _end is SearchEnd.Found or SearchEnd.Budget;
    }

    private void Confirm()
    {
        int? value = _kept;
        for (int widths = 1; value is { } next; widths *= 2)
        {
            if (TryConfirm(next) is not { } isConfirmed)
                return;
            if (isConfirmed)
                break;
            value = range.Below(next, widths);
            _kept = value;
        }

        if (value is null)
            _kept = null;
        else
            Recover();
    }

    // Steps down are large after the first: a value between the last two may be kept as well.
    private void Recover()
    {
        while (_missed is { } missed && _confirmed is { } confirmed && range.Between(confirmed, missed) is { } middle
            && budget.HasRoomFor(Confirmations))
        {
            if (TryConfirm(middle) is null)
                return;
        }
    }

    // A step down that was not measured is no answer.
    private int? FindKept() =>
        _samples.Where(sample => sample.IsKept && (_missed is not { } missed || sample.Value < missed)).Max(sample => (int?)sample.Value);

    // True when all runs keep it, false with the first that does not, null when no further run can be measured.
    private bool? TryConfirm(int value)
    {
        for (int i = 0; i < Confirmations; i++)
        {
            if (TryMeasure(value, SearchStage.Confirm) is not { } sample)
                return null;
            if (!sample.IsKept)
            {
                _missed = Math.Min(_missed ?? value, value);
                return false;
            }
        }

        (_kept, _confirmed) = (value, value);
        if (_missed is not null)
            _end = SearchEnd.Found; // however wide the interval is
        return true;
    }

    private bool? Judge(int value, SearchStage stage)
    {
        bool? isKept = TryMeasure(value, stage)?.IsKept;
        if (isKept == false && (isKept = TryMeasure(value, stage)?.IsKept) == true && stage == SearchStage.Narrow)
            isKept = TryMeasure(value, stage)?.IsKept; // one of each: the third decides
        if (isKept == true)
            _kept = value;
        if (isKept == false)
            _missed = value;
        return isKept;
    }

    private SearchSample? TryMeasure(int value, SearchStage stage)
    {
        for (int dropped = 0; dropped < MaxDropped; dropped++)
        {
            int reserved = stage == SearchStage.Confirm || _kept is null ? 0 : Reserved;
            if (!budget.HasRoomFor(1 + reserved))
                return End(_confirmed is null ? SearchEnd.Budget : SearchEnd.Found);
            SearchStep step = new(budget.Count + 1, stage, value, _kept, _missed);
            if (measure(step) is not { } sample)
                return End(SearchEnd.Interrupted);
            budget.Add(sample.Seconds);
            sample = sample with { Number = step.Number, Stage = stage, Disturbance = sample.Disturbance ?? FindMisplaced(sample, dropped) };
            Measured(sample);
            if (sample.Disturbance is null)
            {
                _placement = _placement is null ? null : sample.Placement ?? _placement;
                _samples.Add(sample);
                return sample;
            }

            _dropped.Add(sample);
        }

        return End(SearchEnd.Disturbed);
    }

    // The placement matters as much as the value; in the bracket it changes with the load.
    private string? FindMisplaced(SearchSample sample, int dropped) =>
        _placement is not null && sample.Placement is not null && sample.Placement != _placement && dropped < MaxMisplaced
            ? $"placement {sample.Placement} instead of {_placement}" : null;

    private SearchSample? End(SearchEnd end)
    {
        _end = end;
        return null;
    }
}
