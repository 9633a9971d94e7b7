using System.Diagnostics;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Hosting.Running;

namespace PerfCommon.Benchmarks.Against;

/// <summary>Waits for a running role, and reads its figures of some seconds.</summary>
/// <param name="role">The role.</param>
/// <param name="host">Ends the wait by a signal.</param>
/// <param name="limitSeconds">The longest wait.</param>
internal sealed class RoleWait(MeasuredRole role, RunHost host, int limitSeconds)
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);

    /// <summary>Waits until the role listens.</summary>
    /// <returns>False when it never will, or the wait was ended.</returns>
    public bool ForPort() => Until(() => role.Port > 0);

    /// <summary>Waits until the role has collected more than the given seconds.</summary>
    /// <inheritdoc cref="ForPort"/>
    public bool ForSecond(int second) => Until(() =>
    {
        role.ReadLines();
        return role.Last?.Second > second;
    });

    /// <summary>Returns the role's results from one second on; null when it ended earlier.</summary>
    public RoleWindow? Window(int fromSecond, int seconds)
    {
        DateTime from = role.Lines.First(line => line.Second >= fromSecond).Utc;
        return RoleWindow.Between(role.Lines, from, from.AddSeconds(seconds));
    }

    private bool Until(Func<bool> isReached)
    {
        long start = Stopwatch.GetTimestamp();
        while (!isReached())
        {
            if (host.Signals.Code is not null || role.Failure is not null || Stopwatch.GetElapsedTime(start).TotalSeconds > limitSeconds)
                return false;
            Thread.Sleep(Look);
        }

        return true;
    }
}
