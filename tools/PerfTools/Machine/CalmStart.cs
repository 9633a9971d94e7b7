using System.Globalization;

namespace PerfTools.Machine;

/// <summary>Waits for other programs to finish before a run: right after a build a machine is busy for some seconds.</summary>
internal static class CalmStart
{
    /// <summary>The environment variable with the maximum wait in seconds; 0 starts at once.</summary>
    public const string Variable = "PERFTOOLS_CALM_WAIT";

    private const double UsualSeconds = 5, MaxSeconds = 600;

    /// <summary>Waits while the machine is busy, for five seconds at most, and says so.</summary>
    /// <param name="show">Receives a line for people.</param>
    /// <param name="stop">Cancels the wait.</param>
    /// <returns>The CPU use of other programs after that, in percent of all processors; null where the system does not report it.</returns>
    public static double? Wait(Action<string> show, CancellationToken stop) =>
        Wait(() => MachineLoad.MeasureNow(stop), show, ReadLimit(Environment.GetEnvironmentVariable(Variable)), TimeProvider.System, stop);

    /// <summary>The same with all dependencies as parameters.</summary>
    /// <param name="measure">Measures for some time, and returns the CPU use of others in it.</param>
    /// <param name="show">Receives a line for people.</param>
    /// <param name="limit">The maximum duration.</param>
    /// <param name="clock">The clock for the duration.</param>
    /// <param name="stop">Cancels the wait.</param>
    internal static double? Wait(Func<double?> measure, Action<string> show, TimeSpan limit, TimeProvider clock, CancellationToken stop)
    {
        long start = clock.GetTimestamp();
        double? load = measure();
        bool waits = MachineLoad.FindWarning(load) is not null && limit > TimeSpan.Zero;
        if (waits)
            show(Format($"Machine busy: other processes use {load:F0} % of the CPU; waiting up to {limit.TotalSeconds:0.#} s."));
        while (MachineLoad.FindWarning(load) is not null && clock.GetElapsedTime(start) < limit && !stop.IsCancellationRequested)
            load = measure();
        if (MachineLoad.FindWarning(load) is { } warning)
            show(warning);
        else if (waits)
            show(Format($"Machine calm after {clock.GetElapsedTime(start).TotalSeconds:0.0} s."));
        return load;
    }

    /// <summary>Reads the maximum wait from the value of the variable; the default where it is absent or no valid number.</summary>
    internal static TimeSpan ReadLimit(string? text) => TimeSpan.FromSeconds(
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double seconds) && seconds <= MaxSeconds
            ? seconds : UsualSeconds);

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
