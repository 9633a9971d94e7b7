using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace UsersPerf;

/// <summary>
/// The times at which users log in and periods are measured: all follow from the options and the start time, so that parts on other machines agree.
/// </summary>
/// <remarks>
/// A step has three phases: log-ins (whole seconds), settling, the period; before the first period there is a warm-up too. The next step begins when
/// the period ends. Users are numbered over all parts, from 0, and dealt out in turn: part i of n has the users i - 1, i - 1 + n, ... so that the
/// first parts have one more.
/// </remarks>
internal sealed class StepSchedule
{
    private readonly UsersPerfOptions _options;
    private readonly RunPart _part;

    /// <param name="options">The options of the run.</param>
    /// <param name="startNanos">When the first user logs in, in nanoseconds of <see cref="Clock"/>.</param>
    public StepSchedule(UsersPerfOptions options, long startNanos)
    {
        (_options, _part, StartNanos) = (options, options.Run.Part, startNanos);
        IReadOnlyList<int> totals = options.Steps?.Totals ?? [options.Users * _part.Count];
        List<UserStep> steps = [];
        int before = 0;
        long at = startNanos;
        foreach (int total in totals)
        {
            UserStep step = CreateStep(steps.Count, before, total, at);
            steps.Add(step);
            (before, at) = (total, step.ToNanos);
        }

        Steps = steps;
    }

    /// <summary>When the first user logs in.</summary>
    public long StartNanos { get; }

    /// <summary>The steps, in order; without <c>-steps</c> one step that is not measured.</summary>
    public IReadOnlyList<UserStep> Steps { get; }

    /// <summary>True when there are periods.</summary>
    public bool HasPeriods => _options.Steps is not null;

    /// <summary>End of the last step.</summary>
    public long EndNanos => Steps[^1].ToNanos;

    /// <summary>Counts this part's share of the users of all parts.</summary>
    public int ShareOf(int users) => (users / _part.Count) + (_part.Number <= users % _part.Count ? 1 : 0);

    /// <summary>Returns a user's number over all parts, from 0.</summary>
    /// <param name="own">The user's number in this part, from 0.</param>
    public int NumberOf(int own) => (own * _part.Count) + _part.Number - 1;

    /// <summary>Returns when a user logs in; far in the future for one who never does.</summary>
    /// <param name="number">The user's number over all parts, from 0.</param>
    public long LoginNanosOf(int number)
    {
        foreach (UserStep step in Steps)
        {
            if (number < step.Users)
                return step.BeginNanos + ((number - step.UsersBefore) * Clock.NanosPerSecond / _options.LoginRate);
        }

        return long.MaxValue;
    }

    /// <summary>Finds the step that contains a time: the first step for an earlier time, the last one for a later time.</summary>
    public UserStep StepAt(long nowNanos) => Steps.LastOrDefault(step => step.BeginNanos <= nowNanos) ?? Steps[0];

    private UserStep CreateStep(int index, int before, int total, long beginNanos)
    {
        int rate = _options.LoginRate;
        long logins = (total - before + rate - 1) / rate;
        long waits = logins + _options.SettleSeconds + (index == 0 ? _options.WarmupSeconds : 0);
        long from = beginNanos + (waits * Clock.NanosPerSecond);
        long settles = from - (_options.SettleSeconds * Clock.NanosPerSecond);
        return new(index, before, total, beginNanos, settles, from,
            HasPeriods ? from + (_options.PeriodSeconds * Clock.NanosPerSecond) : long.MaxValue);
    }
}

/// <summary>One step: a number of additional users, and a measured period.</summary>
/// <param name="Index">Number of the step, from 0.</param>
/// <param name="UsersBefore">Users of all parts before the step.</param>
/// <param name="Users">Users of all parts in the step.</param>
/// <param name="BeginNanos">When the step's first user logs in.</param>
/// <param name="SettleNanos">When all users should be logged in.</param>
/// <param name="FromNanos">When the step's period begins.</param>
/// <param name="ToNanos">When the period ends; far in the future for a step without one.</param>
internal sealed record UserStep(int Index, int UsersBefore, int Users, long BeginNanos, long SettleNanos, long FromNanos, long ToNanos)
{
    /// <summary>Name of a period outside the schedule; null for a step of the schedule.</summary>
    public string? Name { get; init; }

    /// <summary>The step's name on the console.</summary>
    public string Title => Name is null ? string.Create(CultureInfo.InvariantCulture, $"step {Index + 1}") : $"period {Name}";

    /// <summary>
    /// True while threads have work in the step: users to log in, the beginning of its period, and from its end until they have finished it.
    /// </summary>
    /// <param name="nowNanos">The time.</param>
    /// <param name="lacksUsers">True while the log-in of some of its users has not begun.</param>
    /// <param name="edgeNanos">Length of the period's beginning.</param>
    public bool HasWork(long nowNanos, bool lacksUsers, long edgeNanos) =>
        (lacksUsers && nowNanos >= BeginNanos) || (nowNanos >= FromNanos && nowNanos < FromNanos + edgeNanos) || nowNanos >= ToNanos;
}
