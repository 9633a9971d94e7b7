using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Verdicts;

/// <summary>The circumstances of a slow run, beyond the limit that its counts prove: each is reported only where it is beyond doubt.</summary>
internal sealed record SlowEvidence
{
    private const double MinStolenPercent = 5;
    private const double MinSwappedMegabytes = 16;
    private const double FullMemoryPercent = 90;
    private const double MinPauseMillis = 100;
    private const double MinPausePercent = 2;
    private const double MinImageSeconds = 1;
    private const double RequestTolerance = 0.1;
    private const double MillisPerSecond = 1_000;
    private const double Whole = 100;

    /// <summary>The processor time that the host withheld from this guest, in percent; null when it is unknown.</summary>
    public double? StolenPercent { get; init; }

    /// <summary>Memory that was written to or read from the disk for want of memory; null when it is unknown.</summary>
    public double? SwappedMegabytes { get; init; }

    /// <summary>The sum of the highest working sets of all roles.</summary>
    public double RolesMegabytes { get; init; }

    /// <summary>The limit of their memory together; null for none.</summary>
    public double? AllowedMegabytes { get; init; }

    /// <summary>The total pause of each role for garbage collections.</summary>
    public IReadOnlyList<(string Role, double PauseMillis)> Pauses { get; init; } = [];

    /// <summary>The length of the steady state.</summary>
    public double SteadySeconds { get; init; }

    /// <summary>The images; null where there are none.</summary>
    public ImageFigures? Images { get; init; }

    /// <summary>The requested rate of requests per second, over all connections; null when it is unknown.</summary>
    public double? RequestRate { get; init; }

    /// <summary>The congestion control of the machine's TCP connections; null where it is not the relevant limit.</summary>
    public string? CongestionControl { get; init; }

    /// <summary>Lists everything that is proven, each as the end of a sentence.</summary>
    public IReadOnlyList<string> Find() =>
        [.. new[] { FindStolen(), FindSwapped(), FindFull(), FindPauses(), FindRequests(), FindPacing() }.OfType<string>()];

    private string? FindStolen() =>
        StolenPercent >= MinStolenPercent ? Format($"the host took {StolenPercent:F0} % of the processors for other guests") : null;

    private string? FindSwapped() =>
        SwappedMegabytes >= MinSwappedMegabytes ? Format($"memory ran short, {SwappedMegabytes:N0} MB went to the disk and back") : null;

    private string? FindFull() => RolesMegabytes >= AllowedMegabytes * FullMemoryPercent / Whole
        ? Format($"the roles had {RolesMegabytes:N0} of the {AllowedMegabytes:N0} MB that they may have") : null;

    private string? FindPauses() =>
        Pauses.Where(role => role.PauseMillis >= MinPauseMillis && PercentOf(role.PauseMillis) >= MinPausePercent)
        .OrderByDescending(role => role.PauseMillis)
        .Select(role =>
            Format($"garbage collections stopped the {role.Role} for {role.PauseMillis:N0} ms in all, {PercentOf(role.PauseMillis):F0} % of the time"))
        .FirstOrDefault();

    private double PercentOf(double pauseMillis) => SteadySeconds > 0 ? Whole * pauseMillis / (MillisPerSecond * SteadySeconds) : 0;

    // Images cannot arrive faster than they are requested.
    private string? FindRequests() => Images is { Seconds: >= MinImageSeconds } images && RequestRate > 0
        && images.Count / images.Seconds >= RequestRate * (1 - RequestTolerance)
        ? Format($"the images took {images.Seconds:F1} s as {RequestRate:N0} a second were asked for (-requestRate)") : null;

    // BBR is made for long paths: it sends no faster than its estimate of the path, which is too low on loopback.
    private string? FindPacing() => CongestionControl == "bbr" ? "the congestion control of this machine, bbr, paces what it sends" : null;

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
