using System.Globalization;

namespace PerfTools.Machine;

/// <summary>Waits for other programs to finish before a run: right after a build a machine is busy for some seconds.</summary>
internal static class CalmStart
{
    /// <summary>The variable of the environment with the seconds to wait at most; 0 starts at once.</summary>
    public const string Variable = "PERFTOOLS_CALM_WAIT";

    private const double UsualSeconds = 5, MaxSeconds = 600;

    /// <summary>Waits as long as the machine is busy, five seconds at most, and says so.</summary>
    /// <param name="show">Gets a line for people.</param>
    /// <param name="stop">Ends it early.</param>
    /// <returns>What others use after that, in percent of all processors; null where the system does not tell.</returns>
    public static double? Wait(Action<string> show, CancellationToken stop) =>
        Wait(() => MachineLoad.MeasureNow(stop), show, ReadLimit(Environment.GetEnvironmentVariable(Variable)), TimeProvider.System, stop);

    /// <summary>The same with all that it depends on.</summary>
    /// <param name="measure">Takes some time, and says what others used in it.</param>
    /// <param name="show">Gets a line for people.</param>
    /// <param name="limit">How long it may take.</param>
    /// <param name="clock">Tells how long it has taken.</param>
    /// <param name="stop">Ends it early.</param>
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

    /// <summary>The time that a variable of the environment allows; the usual one where it is absent or no such number.</summary>
    internal static TimeSpan ReadLimit(string? text) => TimeSpan.FromSeconds(
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double seconds) && seconds <= MaxSeconds ? seconds : UsualSeconds);

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
