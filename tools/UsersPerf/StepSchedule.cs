using System.Globalization;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace UsersPerf;

/// <summary>
/// When users log in and when what they get is measured: all of it follows from the options and the time of the start, so that parts on
/// other machines agree.
/// </summary>
/// <remarks>
/// A step is log-ins (whole seconds), before the first period a warm-up, settling, the period; the next step begins with the period's end.
/// Users are numbered over all parts, from 0, and dealt out in turn: part i of n has the users i - 1, i - 1 + n, ... so that the first
/// parts have one more.
/// </remarks>
internal sealed class StepSchedule
{
    private readonly UsersPerfOptions _options;
    private readonly RunPart _part;

    /// <param name="options">Of the run.</param>
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

    /// <summary>The steps, in order; without <c>-steps</c> one that is not measured.</summary>
    public IReadOnlyList<UserStep> Steps { get; }

    /// <summary>True when there are periods.</summary>
    public bool HasPeriods => _options.Steps is not null;

    /// <summary>End of the last step.</summary>
    public long EndNanos => Steps[^1].ToNanos;

    /// <summary>This part's share of users of all parts.</summary>
    public int ShareOf(int users) => (users / _part.Count) + (_part.Number <= users % _part.Count ? 1 : 0);

    /// <summary>A user's number over all parts, from 0.</summary>
    /// <param name="own">His number in this part, from 0.</param>
    public int NumberOf(int own) => (own * _part.Count) + _part.Number - 1;

    /// <summary>When a user logs in; far away for one who never does.</summary>
    /// <param name="number">Over all parts, from 0.</param>
    public long LoginNanosOf(int number)
    {
        foreach (UserStep step in Steps)
        {
            if (number < step.Users)
                return step.BeginNanos + ((number - step.UsersBefore) * Clock.NanosPerSecond / _options.LoginRate);
        }

        return long.MaxValue;
    }

    /// <summary>The step that a time lies in; the first before it, the last behind it.</summary>
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

/// <summary>One step: so many users more, and a period that is measured.</summary>
/// <param name="Index">Its number, from 0.</param>
/// <param name="UsersBefore">Users of all parts before it.</param>
/// <param name="Users">Users of all parts in it.</param>
/// <param name="BeginNanos">When its first user logs in.</param>
/// <param name="SettleNanos">When all should be in.</param>
/// <param name="FromNanos">When its period begins.</param>
/// <param name="ToNanos">When that ends; far away for a step without.</param>
internal sealed record UserStep(int Index, int UsersBefore, int Users, long BeginNanos, long SettleNanos, long FromNanos, long ToNanos)
{
    /// <summary>That of a period out of turn; null for a step of the schedule.</summary>
    public string? Name { get; init; }

    /// <summary>What the console calls it.</summary>
    public string Title => Name is null ? string.Create(CultureInfo.InvariantCulture, $"step {Index + 1}") : $"period {Name}";
}
