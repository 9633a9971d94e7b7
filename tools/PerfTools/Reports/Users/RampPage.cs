using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;

namespace PerfTools.Reports.Users;

/// <summary>What the report of a ramp has beside that of every run: its steps, as table and graphs, and who its users are.</summary>
internal static class RampPage
{
    private const string Base = "base"; // graphs show this variant of a load

    /// <summary>Adds it in front of what a run has; the same for a run without steps.</summary>
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
