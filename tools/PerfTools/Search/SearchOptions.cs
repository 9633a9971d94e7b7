using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;

namespace PerfTools.Search;

/// <summary>The options of a search. Vary it with <c>with</c>.</summary>
internal sealed record SearchOptions
{
    /// <summary>The default seconds that each run measures.</summary>
    public const int UsualSeconds = 5;

    /// <summary>The default thresholds.</summary>
    public const string UsualUntil = "p99<1ms,lost<1,notSent<1";

    private const string FreshStay = "--stay cannot be combined with --fresh";
    private const int MaxFirst = 1_000_000_000;
    private const char PercentileMark = 'p';

    /// <summary>The thresholds that every value has to keep. <c>--until</c></summary>
    public IReadOnlyList<Threshold> Until { get; init; } = Threshold.TryParseList(UsualUntil, Threshold.Metrics)!;

    /// <summary>The option whose value is searched. <c>--over</c></summary>
    public SearchedValue Over { get; init; } = SearchedValue.Rate;

    /// <summary>The maximum duration. <c>--budget</c></summary>
    public SearchTime Budget { get; init; } = new(5 * 60);

    /// <summary>The first value to try; null for that of the run's own option. <c>--from</c></summary>
    public int? First { get; init; }

    /// <summary>True to measure the load curve as well. <c>--curve</c></summary>
    public bool HasCurve { get; init; }

    /// <summary>True to measure the load curve for both starting times of latency. <c>--both-curves</c></summary>
    public bool HasBothCurves { get; init; }

    /// <summary>True to measure each value by a separate run: the default but over users. <c>--fresh</c></summary>
    public bool IsFresh { get; init; }

    /// <summary>True to measure all values in one run, whose setting is changed: over users the default. <c>--stay</c></summary>
    public bool StaysUp { get; init; }

    /// <summary>The thresholds as one text.</summary>
    public string UntilText => string.Join(", ", Until);

    /// <summary>The default options for a scenario.</summary>
    public static SearchOptions DefaultsOf(Scenario scenario) => scenario.Figures.HasNoRate
        ? new() { Over = SearchedValue.All.First(value => value.IsOf(scenario)), Until = Threshold.TryParseList("p99<1ms,lost<1", Threshold.Metrics)! } : new();

    /// <summary>The default options for a load of users.</summary>
    public static SearchOptions DefaultsOfUsers { get; } =
        new() { Over = SearchedValue.Users, Until = Threshold.TryParseList(UsersOptions.UsualUntil, UsersCandidateReader.Metrics)! };

    /// <summary>Creates the table of its options.</summary>
    /// <param name="defaults">The default options.</param>
    /// <param name="metrics">The figures that thresholds may name; null for every one.</param>
    public static OptionTable<SearchOptions> CreateTable(SearchOptions? defaults = null, IReadOnlyList<string>? metrics = null)
    {
        OptionTable<SearchOptions> table = new("perftools search", defaults ?? new SearchOptions(), _ => null) { HasLongNames = true };
        IReadOnlyList<string> named = metrics ?? Threshold.Metrics;
        table.Custom("-until", "list", Threshold.ListKind(named),
            $"thresholds that a value must keep; names: {string.Join(", ", named)}", o => string.Join(',', o.Until),
            (o, s) => Threshold.TryParseList(s, named) is { } v ? o with { Until = v } : null);
        table.Custom("-over", "option", $"one of {string.Join(", ", SearchedValue.All.Select(value => value.Name))}",
            $"option whose greatest value is searched: {string.Join(", ", SearchedValue.All.Select(value => value.Name))}", o => o.Over.Name,
            (o, s) => SearchedValue.All.FirstOrDefault(value => value.Name == s) is { } v ? o with { Over = v } : null)
            .OfWords(SearchedValue.All.Select(value => value.Name));
        table.Custom("-budget", "time", SearchTime.Kind, "time for all runs of the search, such as 90s, 5m or 1h; those of --curve are extra",
            o => o.Budget.ToString(), (o, s) => SearchTime.TryParse(s) is { } v ? o with { Budget = v } : null);
        table.OptionalNumber("-from", "n", "first value (default: that of the option searched)", o => o.First, (o, v) => o with { First = v })
            .Within(1, MaxFirst);
        table.Switch("-curve", "also measure 10 % to 110 % of the value found: latency, CPU and memory over load", o => o.HasCurve,
            (o, v) => o with { HasCurve = v });
        table.Switch("-both-curves", "--curve, also with the other --stamp: shows what latency from the time sent hides", o => o.HasBothCurves,
            (o, v) => o with { HasBothCurves = v, HasCurve = v || o.HasCurve });
        table.Switch("-fresh", "start the roles anew for each measurement (default, except over users)", o => o.IsFresh, (o, v) => o with { IsFresh = v });
        table.Switch("-stay", "keep the roles running and set their rate or users between measurements (default over users)", o => o.StaysUp,
            (o, v) => o with { StaysUp = v });
        return table;
    }

    /// <summary>True when roles may stay up while their rate changes: the sender accepts changes, and no threshold concerns the start.</summary>
    public bool MayStayUp(Scenario scenario, ScenarioOptions options) =>
        StaysUp && Over == SearchedValue.Rate && !scenario.Figures.HasNoRate && options.External.Count == 0
        && !Until.Any(threshold => threshold.Role is not null || threshold.Metric.StartsWith(Threshold.Images, StringComparison.Ordinal));

    /// <summary>True when the roles of a load of users stay up while the number of users is set.</summary>
    public bool UsersStayUp => !IsFresh;

    /// <summary>Finds the first contradiction with the options of the runs, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem(Scenario scenario, ScenarioOptions options)
    {
        string sender = scenario.LinksOf(options)[0].From;
        bool isOverRate = Over == SearchedValue.Rate;
        return options switch
        {
            { Repeat: not 1 } => "--repeat: a search repeats what has to be repeated",
            _ when StaysUp && IsFresh => FreshStay,
            _ when StaysUp && !MayStayUp(scenario, options) =>
                "--stay needs a search over the rate of roles that are started here, and no threshold on images or single roles",
            { Thresholds.Count: > 0 } => "--assert: --until has the thresholds of a search",
            { Steps: not null } => "--steps: each run of a search has one rate",
            { Ramp: not null } => "--ramp: each run of a search has one rate",
            _ when Over == SearchedValue.Users =>
                $"--over users: {scenario.Name} has no users; search {UsersLoad.AllNames}",
            _ when !Over.IsOf(scenario) => $"--over {Over.Name}: {scenario.Name} has no {Over.Option}; --over takes {SearchedValue.NamesOf(scenario)}",
            _ when HasBothCurves && scenario.Figures.HasNoRate => "--both-curves: round trips are measured from one time only",
            _ when scenario.FindSeveralRuns(options) is { } several => several,
            { NoUpdates: true } when isOverRate => "--over rate cannot be combined with --no-updates",
            { NoProvider: true } when isOverRate => "--over rate cannot be combined with --no-provider",
            _ when isOverRate && options.External.ContainsKey(sender) => $"--over rate: the {sender} is external and accepts no options from here",
            _ when isOverRate && new RoleArguments(options.ArgumentsOf(sender)).IsGiven(scenario.Figures.RateOption)
                => $"--over rate cannot be combined with {scenario.Figures.RateOption} of the {sender}",
            { BindsWorkers: false } when Over.In(scenario).FindGiven(scenario, options) is { } given =>
                $"--over {Over.Name} cannot be combined with {given} of a role",
            _ => FindShortage(scenario, options),
        };
    }

    /// <summary>Finds the first contradiction of a search over users; null when there is none.</summary>
    public string? FindProblemOfUsers() => this switch
    {
        _ when Over != SearchedValue.Users => $"--over {Over.Name}: a load of users is searched over users",
        { StaysUp: true, IsFresh: true } => FreshStay,
        { HasBothCurves: true } => "--both-curves: latency of users counts from the time sent only",
        _ => null,
    };

    // A percentile without enough samples would be missed at every value.
    private string? FindShortage(Scenario scenario, ScenarioOptions options)
    {
        (string flag, LatencyRate rate) = scenario.FindSamples(options);
        if (scenario.Figures.HasNoRate)
            return FindShortage(options.Roundtrip.Samples, samples => string.Create(CultureInfo.InvariantCulture, $"--samples is {samples:N0}"));
        if (rate.All || options.External.ContainsKey(scenario.Links[0].From))
            return null;
        long samples = (long)rate.PerSecond * options.Seconds
            * scenario.Figures.Measured.MeasuredBy.Sum(role => RoleArgumentRules.CountConnections(role, options));
        return FindShortage(samples, enough => string.Create(CultureInfo.InvariantCulture, $"{flag} {rate} gives {enough:N0} in --seconds {options.Seconds}"));
    }

    private string? FindShortage(long samples, Func<long, string> describe) =>
        (from threshold in Until
         where threshold.Metric.StartsWith(PercentileMark)
             && double.TryParse(threshold.Metric.TrimStart(PercentileMark), CultureInfo.InvariantCulture, out _)
         let needed = LatencyFigures.SamplesNeeded(double.Parse(threshold.Metric.TrimStart(PercentileMark), CultureInfo.InvariantCulture))
         where needed > samples
         select string.Create(CultureInfo.InvariantCulture, $"--until {threshold}: {needed:N0} latency samples needed, {describe(samples)}"))
            .FirstOrDefault();
}

/// <summary>A duration in the form of options: <c>90s</c>, <c>5m</c>, <c>1h</c>.</summary>
internal readonly record struct SearchTime(int Seconds)
{
    /// <summary>The description of valid values, after "is not".</summary>
    public const string Kind = "a time of 10s or more such as 90s, 5m or 1h";

    private const int MinSeconds = 10;
    private static readonly (char Mark, int Seconds)[] Units = [('h', 3_600), ('m', 60), ('s', 1)];

    /// <summary>Parses a duration; null for other text, for less than ten seconds and for more than a day.</summary>
    public static SearchTime? TryParse(string text)
    {
        (char mark, int unit) = Array.Find(Units, unit => text.EndsWith(unit.Mark));
        return mark != default && int.TryParse(text[..^1], NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            && (long)count * unit is >= MinSeconds and <= 86_400 ? new(count * unit) : null;
    }

    /// <summary>The duration as the user types it.</summary>
    public override string ToString()
    {
        int seconds = Seconds;
        (char mark, int unit) = Array.Find(Units, unit => seconds % unit.Seconds == 0);
        return string.Create(CultureInfo.InvariantCulture, $"{Seconds / unit}{mark}");
    }
}
