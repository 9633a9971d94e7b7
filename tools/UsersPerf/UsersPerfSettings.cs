using System.Globalization;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;

namespace UsersPerf;

/// <summary>
/// The settings of a running simulator that may be changed: its number of users, their log-in rate, and a period that is measured now.
/// </summary>
internal static class UsersPerfSettings
{
    private const int MaxNameChars = 40;
    private const int MaxSeconds = 86_400;

    /// <summary>The settings of a process with users.</summary>
    /// <param name="options">What it was started with.</param>
    /// <param name="role">Applies changes.</param>
    /// <param name="max">The maximum of users, and what limits it.</param>
    public static RoleSettings Create(UsersPerfOptions options, UsersPerfRole role, (int Users, string Reason) max)
    {
        Setting<UserRequests>[] settings =
        [
            new("users", "users of this process", Describe(max), wishes => Text(wishes.Users ?? role.UsersAsked),
                (wishes, text) => TryRead(text, out int users) ? wishes with { Users = users } : null) { Min = 0, Max = max.Users },
            new("loginRate", "1/s over all parts", "a whole number from 1", wishes => Text(wishes.LoginRate),
                (wishes, text) => TryRead(text, out int rate) ? wishes with { LoginRate = rate } : null) { Min = 1,
                Max = StepList.MaxUsers },
            new("period", "name:seconds", "a name and seconds such as quiet:10", _ => null,
                (wishes, text) => NamedPeriod.TryParse(text) is { } period ? wishes with { Period = period } : null),
        ];
        return new RoleSettings<UserRequests>(new(null, options.LoginRate), FindProblem, Apply, settings);

        string? FindProblem(UserRequests wishes) =>
            wishes.Period is { } period ? role.FindOverlap(period.Seconds) : null;

        UserRequests Apply(UserRequests wishes)
        {
            if (wishes.Users is { } users)
                role.Approach(users, wishes.LoginRate);
            if (wishes.Period is { } period)
                role.Measure(period.Name, period.Seconds);
            return wishes with { Period = null };
        }
    }

    // 0 as well: a process of several may have none
    private static string Describe((int Users, string Reason) max) =>
        string.Create(CultureInfo.InvariantCulture, $"a whole number from 0 to {max.Users} ({max.Reason})");

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    // The values requested so far; null for none.
    private sealed record UserRequests(int? Users, int LoginRate, NamedPeriod? Period = null);

    private sealed record NamedPeriod(string Name, int Seconds)
    {
        public static NamedPeriod? TryParse(string text) =>
            text.Split(':') is [{ Length: > 0 and <= MaxNameChars } name, var seconds] && TryRead(seconds, out int length)
                && length is > 0 and <= MaxSeconds
                ? new(name, length) : null;
    }
}
