using System.Text.Json;
using PerfTools.Hosting.Options;
using PerfTools.Scenarios;
using PerfTools.Scenarios.Users;
using PerfTools.Screen;

namespace PerfTools.Search;

/// <summary>The subject of a search: a scenario or a load of users, with the options common to all its runs.</summary>
internal sealed record SearchSubject
{
    /// <summary>The word after <c>perftools search</c>, in files and folders.</summary>
    public required string Name { get; init; }

    /// <summary>The first part of the name of a new folder; null for the same.</summary>
    public string? FolderName { get; init; }

    /// <summary>The title of the page.</summary>
    public required string Title { get; init; }

    /// <summary>The unit of the values.</summary>
    public required string Unit { get; init; }

    /// <summary>The permitted values.</summary>
    public required SearchRange Range { get; init; }

    /// <summary>Seconds that each run measures; null where a number of samples ends it.</summary>
    public required int? Seconds { get; init; }

    /// <summary>True when latency counts from the time that a message was due, not sent; null for round trips.</summary>
    public required bool? StampsDue { get; init; }

    /// <summary>True when the roles stay up while the value changes.</summary>
    public bool StaysUp { get; init; }

    /// <summary>True when the value is a rate per connection of several.</summary>
    public bool IsForEachConnection { get; init; }

    /// <summary>The options of all runs, as run.json has them.</summary>
    public required IReadOnlyDictionary<string, JsonElement> Inputs { get; init; }

    /// <summary>The folder for the results; null for a new one.</summary>
    public string? Out { get; init; }

    /// <summary>The further outputs of the result.</summary>
    public ResultOutputs Outputs { get; init; } = new();

    /// <summary>Creates the subject for a scenario.</summary>
    public static SearchSubject Of(Scenario scenario, ScenarioOptions options, SearchOptions search) => new()
    {
        Name = scenario.Name,
        Title = scenario.Title,
        Unit = search.Over.UnitOf(scenario, options),
        Range = search.Over.In(scenario).RangeOf(options, search.First),
        Seconds = scenario.Figures.HasNoRate ? null : options.Seconds,
        StampsDue = scenario.Figures.HasNoRate ? null : options.StampsDue,
        StaysUp = search.MayStayUp(scenario, options),
        IsForEachConnection = search.Over == SearchedValue.Rate
            && RoleArgumentRules.CountConnections(scenario.Figures.ConnectedBy ?? scenario.Figures.Measured.MeasuredBy[0], options) > 1,
        Inputs = scenario.DescribeInputs(options),
        Out = options.Out,
        Outputs = options.Outputs,
    };

    /// <summary>Creates the subject for a load of users.</summary>
    public static SearchSubject Of(UsersLoad load, UsersOptions options, SearchOptions search)
    {
        int first = search.First ?? StepList.TryParse(load.QuickSteps)!.Totals[0];
        return new()
        {
            Name = load.Name,
            Title = $"Users of a hub, load {load.Title}",
            Unit = search.Over.Unit!,
            Range = new() { First = Math.Clamp(first, 1, search.Over.Max), Max = search.Over.Max },
            Seconds = options.Period,
            StampsDue = false,
            StaysUp = search.UsersStayUp,
            Inputs = UsersInputs.Of(UsersVariant.Plan(load, options, out _)[0], options).Where(input => input.Key != "steps").ToDictionary(),
            Out = options.Out,
            Outputs = options.Outputs,
        };
    }
}
