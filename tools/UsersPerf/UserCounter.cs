using PerfCommon.Workers;

namespace UsersPerf;

/// <summary>The counters that simulated users add to those of the library.</summary>
internal static class UserCounter
{
    /// <summary>Reads that returned updates.</summary>
    public const Counter UpdateReads = RecordingSchema.FirstCounter;

    /// <summary>Users whose connection ended, or whose items ended, before the run did.</summary>
    public const Counter UsersLost = UpdateReads + 1;

    /// <summary>Users whose login was refused.</summary>
    public const Counter UsersRefused = UsersLost + 1;

    /// <summary>Attempts of users that ended before their login was accepted, followed by another.</summary>
    public const Counter LoginsRetried = UsersRefused + 1;

    /// <summary>What the threads of users record.</summary>
    public static RecordingSchema Schema { get; } = new(
        [nameof(UpdateReads), nameof(UsersLost), nameof(UsersRefused), nameof(LoginsRetried)],
        [(nameof(UserGauge.UsersAsked), false), (nameof(UserGauge.UsersIn), false)]);
}

/// <summary>The gauges that simulated users add to those of the library.</summary>
internal static class UserGauge
{
    /// <summary>Users that are requested.</summary>
    public const Gauge UsersAsked = RecordingSchema.FirstGauge;

    /// <summary>Users that have all their images.</summary>
    public const Gauge UsersIn = UsersAsked + 1;
}
