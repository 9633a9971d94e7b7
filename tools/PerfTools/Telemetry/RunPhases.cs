using System.Globalization;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Telemetry;

/// <summary>A named part of the time of a run.</summary>
/// <param name="Name">Its name.</param>
/// <param name="From">Its beginning.</param>
/// <param name="To">Its end.</param>
internal sealed record RunSpan(string Name, DateTime From, DateTime To);

/// <summary>Finds the phases of a completed run in the results of its roles.</summary>
internal static class RunPhases
{
    /// <summary>Finds the known phases, in the order of their beginning; each is within the run.</summary>
    /// <param name="run">The run.</param>
    /// <param name="roles">The results of its roles.</param>
    /// <remarks>
    /// Programs start until every role has begun its first interval; start-up (log-ins, images) lasts until the steady state of the role
    /// that reaches it last, and the time after that state is the end. Steps are those of run.json.
    /// </remarks>
    public static IReadOnlyList<RunSpan> Find(RunDocument run, IReadOnlyList<RecordedRole> roles)
    {
        List<RunSpan> all = [];
        DateTime[] begins = [.. roles.Select(role => role.Intervals).Where(intervals => intervals.Count > 0)
            .Select(intervals => intervals[0].Utc.AddSeconds(-intervals[0].Seconds))];
        if (begins.Length > 0)
            all.Add(new("start programs", run.StartUtc, begins.Max()));
        (DateTime From, DateTime To)[] steady = [.. roles.Select(role => role.ReadSteadyTime()).OfType<(DateTime, DateTime)>()];
        if (steady.Length > 0 && begins.Length > 0)
        {
            (DateTime from, DateTime to) = (steady.Max(time => time.From), steady.Min(time => time.To));
            all.AddRange([new("start-up", begins.Max(), from), new("steady", from, to), new("end", to, run.EndUtc)]);
        }

        all.AddRange((run.Figures?.RateSteps ?? []).Where(step => step.Utc is not null).Select(step =>
            new RunSpan(string.Create(CultureInfo.InvariantCulture, $"step {step.RateAsked:F0}/s"), step.Utc!.Value, step.Utc.Value.AddSeconds(step.Seconds))));
        all.AddRange((run.Steps ?? []).Select(step =>
            new RunSpan(string.Create(CultureInfo.InvariantCulture, $"step {step.UsersAsked} users"), step.Utc, step.Utc.AddSeconds(step.Seconds))));
        return [.. all.Select(span => span with { From = Within(run, span.From), To = Within(run, span.To) })
            .Where(span => span.To > span.From).OrderBy(span => span.From)];
    }

    private static DateTime Within(RunDocument run, DateTime time) => time < run.StartUtc ? run.StartUtc : time > run.EndUtc ? run.EndUtc : time;
}
