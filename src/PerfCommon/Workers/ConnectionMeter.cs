using System.Diagnostics.Metrics;

namespace PerfCommon.Workers;

/// <summary>
/// The meter "PerfCommon": rates and counts of all connections of the process, for dotnet-counters, OpenTelemetry and other listeners. Its instruments
/// are read when a listener collects them.
/// </summary>
internal static class ConnectionMeter
{
    public const string Name = "PerfCommon";

    private static readonly Meter Meter = Create();

    /// <summary>
    /// Creates the meter and the event source, once in a process. Programs that report their figures themselves need neither, and save some 30 ms of
    /// processor time.
    /// </summary>
    public static void Start()
    {
        _ = Meter;
        ConnectionEvents.Start();
    }

    private static Meter Create()
    {
        Meter meter = new(Name);
        for (int i = 0; i < ConnectionFigure.All.Count; i++)
        {
            int row = i;
            ConnectionFigure figure = ConnectionFigure.All[row];
            if (figure.IsCurrent)
                meter.CreateObservableUpDownCounter(figure.Name, () => ConnectionFigures.Measure(row), figure.Unit, figure.Description);
            else
                meter.CreateObservableCounter(figure.Name, () => ConnectionFigures.Measure(row), figure.Unit, figure.Description);
        }

        return meter;
    }
}
