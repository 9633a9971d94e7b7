using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>One run of one of two builds at a fixed rate: what both roles did in the window, or why there is none.</summary>
internal sealed record BuildRun
{
    private const double RateTolerance = 0.01;

    /// <summary>The role that sends; null when the run failed.</summary>
    public RoleWindow? Server { get; init; }

    /// <summary>The role that receives; null when the run failed.</summary>
    public RoleWindow? Client { get; init; }

    /// <summary>The part of the machine that others used in the window, from 0 to 1; null where it cannot be known.</summary>
    public double? ForeignShare { get; init; }

    /// <summary>Why there are no figures; null when there are.</summary>
    public string? Failure { get; init; }

    /// <summary>Processor time of both roles for one message.</summary>
    public double? BothNanos => Server?.NanosPerMessage + Client?.NanosPerMessage;

    /// <summary>Why this run says nothing about the cost at the rate; null when it does.</summary>
    /// <param name="rateAsked">Messages a second that it should have kept, within 1 %.</param>
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
