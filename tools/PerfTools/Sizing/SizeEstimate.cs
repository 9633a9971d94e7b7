using System.Globalization;
using PerfTools.Results.Documents;

namespace PerfTools.Sizing;

/// <summary>The resources that one role needs.</summary>
internal sealed record RoleSize
{
    public required string Name { get; init; }

    /// <summary>Cores in use; null where no processor time was measured.</summary>
    public required SizeValue? Cores { get; init; }

    /// <summary>Worker threads, each on one core that is no busier than planned; null where the cores are unknown.</summary>
    public required int? Threads { get; init; }

    /// <summary>Memory in MB; null where the measurements do not show it.</summary>
    public required SizeValue? Megabytes { get; init; }

    /// <summary>
    /// Megabits per second that it sends, messages with their framing, without the headers of TCP/IP; null where bytes are not counted.
    /// </summary>
    public required double? MegabitsOut { get; init; }
}

/// <summary>An estimate of the resources that a system needs for a load, from measurements of smaller loads.</summary>
internal sealed class SizeEstimate
{
    private const double Percent = 100;
    private const double BitsPerByte = 8, Million = 1e6;
    private const double FarFactor = 1.5; // beyond it an estimate is an extrapolation
    private const double LargeError = 0.25; // of the model at the measured loads

    private readonly SizeOptions _options;
    private readonly SizedRole? _usersHub;

    /// <param name="options">The load.</param>
    /// <param name="measured">The runs whose roles are sized.</param>
    /// <param name="users">Ramps of users; null where users are not requested.</param>
    public SizeEstimate(SizeOptions options, SizedGroup measured, SizedGroup? users)
    {
        (_options, Measured, Users) = (options, measured, users);
        _usersHub = users?.Roles is [var hub, ..] ? hub : null;
        Items = options.Items?.Value ?? MaxItems;
        Deliveries = (options.Users?.Value ?? 0) * UserRate;
        Roles = [.. measured.Roles.Select(Estimate)];
    }

    public SizedGroup Measured { get; }

    public SizedGroup? Users { get; }

    public IReadOnlyList<RoleSize> Roles { get; }

    /// <summary>The number of open items.</summary>
    public double Items { get; }

    /// <summary>Updates per second of one user.</summary>
    public double UserRate => _options.UserRate?.Value ?? Users?.UserRate ?? 0;

    /// <summary>The number of items that one user subscribes to.</summary>
    public double Subscriptions => _options.Subscriptions?.Value ?? Users?.WatchersPerUser ?? 0;

    /// <summary>Updates per second that the hub delivers to users.</summary>
    public double Deliveries { get; }

    /// <summary>Bytes of a message on the wire; null where they are not counted.</summary>
    public double? BytesPerMessage => Sender?.BytesPerMessage;

    /// <summary>Bytes in flight between two hosts at any time; null where bytes are not counted or there is no round trip.</summary>
    public double? BytesUnderWay => _options.Rtt.Seconds > 0 ? BytesPerMessage * _options.Rate.Value * _options.Rtt.Seconds : null;

    /// <summary>Seconds until all images have arrived; null where none were retrieved.</summary>
    public double? ImageSeconds => Items > 0 ? (Items / Measured.ImagesPerSecond) + _options.Rtt.Seconds : null;

    /// <summary>The assumptions and the unknowns of the estimate, a sentence each.</summary>
    public IEnumerable<string> Notes
    {
        get
        {
            if (Measured.Roles.Any(role => role.IdlePercent is null))
                yield return "one rate measured: the cost of a message falls with the rate, so other rates are off; measure a second one";
            double most = Measured.Roles.Max(role => role.MaxRate);
            if (_options.Rate.Value > FarFactor * most)
                yield return Format($"rate extrapolated: {most:N0}/s measured at most");
            if (Roles.Any(role => role.Megabytes is null))
                yield return Format($"memory of an item not known: all runs have {MaxItems:N0} items; measure another --items");
            else if (Items > FarFactor * MaxItems)
                yield return Format($"items extrapolated: {MaxItems:N0} measured at most");
            if (_usersHub is { } hub && Deliveries > FarFactor * hub.MaxRate)
                yield return Format($"deliveries extrapolated: {hub.MaxRate:N0}/s measured at most");
            foreach (SizedRole role in Measured.Roles.Where(role => role.WorstError > LargeError))
                yield return Format($"{role.Name}: measurements are up to {Percent * role.WorstError:F0} % off the model");
            yield return Format($"another processor, payload or edition costs otherwise; this one: {Machine(Measured.Machine)}");
        }
    }

    private double MaxItems => Measured.Roles.Max(role => role.MaxItems);

    private SizedRole? Sender => Measured.Roles.FirstOrDefault(role => role.BytesPerMessage is not null);

    private RoleSize Estimate(SizedRole role)
    {
        bool isOfUsersAlone = role == _usersHub;
        SizeValue? cpu = isOfUsersAlone ? null : role.PredictCpu(_options.Rate.Value), memory = isOfUsersAlone ? null : role.PredictMemory(Items, 0, 0);
        double? bytes = isOfUsersAlone ? 0 : role.BytesPerMessage * _options.Rate.Value;
        if (_usersHub is { } hub && role.Name == hub.Name)
        {
            double users = _options.Users!.Value.Value, items = isOfUsersAlone ? Items : hub.MaxItems;
            SizeValue? delivering = hub.PredictCpu(Deliveries), serving = hub.PredictMemory(items, users, users * Subscriptions);
            cpu = isOfUsersAlone ? delivering : cpu + WithoutStart(delivering, hub.IdlePercent ?? 0);
            memory = isOfUsersAlone ? serving : memory + WithoutStart(serving, hub.PredictMemory(items, 0, 0)?.Value ?? 0);
            bytes += hub.BytesPerMessage * Deliveries;
        }

        return new()
        {
            Name = role.Name,
            Cores = cpu is { } percent ? new SizeValue(percent.Value / Percent, percent.Low / Percent, percent.High / Percent) : null,
            Threads = cpu is { } needed ? (int)Math.Max(1, Math.Ceiling(needed.Value / Percent / _options.MaxCpuShare)) : null,
            Megabytes = memory,
            MegabitsOut = bytes * BitsPerByte / Million,
        };
    }

    // The resources of a hub without users are contained in the runs of the published load already.
    private static SizeValue? WithoutStart(SizeValue? value, double start) =>
        value is { } whole ? new(Math.Max(0, whole.Value - start), whole.Low is { } low ? Math.Max(0, low - start) : null, whole.High - start) : null;

    private static string Machine(MachineDescription machine) =>
        Format($"{machine.Processors} x {machine.ProcessorModel ?? machine.Architecture}, {machine.OperatingSystem}");

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
