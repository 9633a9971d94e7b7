using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;

namespace PerfTools.Reports.Users;

/// <summary>Adds to a ramp's report the parts that other runs lack: its steps, as table and graphs, and the description of its users.</summary>
internal static class RampPage
{
    private const string Base = "base"; // graphs show this variant of a load

    /// <summary>Adds the parts before those of every run; a run without steps is unchanged.</summary>
    public static ReportContent Add(ReportContent page, RunDocument run)
    {
        if (run.Steps is not { Count: > 0 } steps)
            return page;
        UsersLoad load = UsersLoad.Of(run.Scenario);
        StepRow[] drawn = [.. steps.Select(step => step with { Variant = Base })];
        return page with
        {
            Title = $"Users of a hub: {load.Title}, {steps[0].Variant}",
            Sentence = run.Capacity is { } capacity ? $"{page.Sentence}; {capacity.Describe()}" : page.Sentence,
            Figures = [UsersTables.Steps(steps), .. page.Figures],
            Charts = [.. UsersCharts.Create(drawn).Select(chart => chart.Chart), .. page.Charts],
            Conditions = [UsersTables.Meanings([load]), .. page.Conditions, UsersTables.AllSteps(steps)],
        };
    }
}
