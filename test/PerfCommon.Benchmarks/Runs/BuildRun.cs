using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>One run of one of two builds at a fixed rate: results of both roles in the window, or the reason why there are none.</summary>
internal sealed record BuildRun
{
    private const double RateTolerance = 0.01;

    /// <summary>The role that sends; null when the run failed.</summary>
    public RoleWindow? Server { get; init; }

    /// <summary>The role that receives; null when the run failed.</summary>
    public RoleWindow? Client { get; init; }

    /// <summary>The part of the machine that other programs used in the window, from 0 to 1; null where it is unknown.</summary>
    public double? ForeignShare { get; init; }

    /// <summary>The reason why there are no figures; null when there are.</summary>
    public string? Failure { get; init; }

    /// <summary>Processor time of both roles for one message.</summary>
    public double? BothNanos => Server?.NanosPerMessage + Client?.NanosPerMessage;

    /// <summary>Returns why this run is no valid measurement of the cost at the rate; null when it is valid.</summary>
    /// <param name="rateAsked">Messages a second that it should have reached, within 1 %.</param>
    public string? FindFault(double rateAsked)
    {
        if (Failure is not null || Server is null || Client is null)
            return Failure ?? "no whole interval in the window";
        if (Math.Abs(Client.Rate - rateAsked) > RateTolerance * rateAsked)
            return string.Create(CultureInfo.InvariantCulture, $"received {Client.Rate:N0}/s");
        return ForeignShare > MachineDescription.MaxForeignShare
            ? string.Create(CultureInfo.InvariantCulture, $"foreign load {ForeignShare * 100:F0} %")
            : null;
    }
}
