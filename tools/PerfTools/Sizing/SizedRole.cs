namespace PerfTools.Sizing;

/// <summary>The resources of one role in one measurement.</summary>
/// <param name="Rate">Messages per second; for a hub with many users those that it delivered.</param>
/// <param name="Items">The number of open items; 0 where there are none.</param>
/// <param name="Users">The number of users that were logged in; 0 where there are none.</param>
/// <param name="Watchers">The subscriptions of all users.</param>
internal sealed record SizedPoint(double Rate, double Items, double Users, double Watchers)
{
    /// <summary>Processor time in percent of a core.</summary>
    public required double CpuPercent { get; init; }

    /// <summary>Highest resident memory; null where unknown.</summary>
    public required double? Megabytes { get; init; }

    /// <summary>Messages, images and bytes that it sent; null where it does not count bytes.</summary>
    public SizedTraffic? Traffic { get; init; }

    /// <summary>Memory of an item as counted by the role itself, in KB; null where it does not count it.</summary>
    public double? KilobytesPerItem { get; init; }
}

/// <summary>The traffic that a role sent.</summary>
internal sealed record SizedTraffic(double Messages, double Images, double Bytes);

/// <summary>The measured costs of a role per message, item, user and subscription.</summary>
internal sealed class SizedRole
{
    private const int Constant = 0, PerMessage = 1;
    private const int PerItem = 1, PerUser = 2, PerWatcher = 3;
    private const double NearShare = 0.1;
    private const double NanosPerPercentSecond = 1e7; // a percent of a core for a second
    private const double BytesPerMegabyte = 1_048_576, BytesPerKilobyte = 1_024;

    private readonly RelativeFit? _cpu;
    private readonly RelativeFit? _memory;
    private readonly RelativeFit? _bytes;
    private readonly double? _countedItemMegabytes;
    private readonly bool _hasSeveralRates;

    /// <param name="name">Its name.</param>
    /// <param name="points">The measurements, at least one.</param>
    public SizedRole(string name, IReadOnlyList<SizedPoint> points)
    {
        (Name, Points) = (name, points);
        SizedPoint[] busy = [.. points.Where(point => point is { CpuPercent: > 0, Rate: > 0 })];
        SizedPoint[] resident = [.. points.Where(point => point.Megabytes > 0)];
        SizedTraffic[] sent = [.. points.Select(point => point.Traffic).Where(traffic => traffic is { Messages: > 0, Bytes: > 0 })!];
        _hasSeveralRates = !busy.All(point => IsNear(point.Rate, busy[0].Rate));
        _cpu = busy.Length == 0 ? null : RelativeFit.Of([.. busy.Select(point => Rates(point.Rate))], [.. busy.Select(point => point.CpuPercent)]);
        _memory = resident.Length == 0 ? null : RelativeFit.Of(
            [.. resident.Select(point => Sizes(point.Items, point.Users, point.Watchers))], [.. resident.Select(point => point.Megabytes!.Value)]);
        _bytes = sent.Length == 0 ? null
            : RelativeFit.Of([.. sent.Select(traffic => (double[])[traffic.Messages, traffic.Images])], [.. sent.Select(traffic => traffic.Bytes)]);
        _countedItemMegabytes = points.Select(point => point.KilobytesPerItem).LastOrDefault(size => size is not null) * BytesPerKilobyte / BytesPerMegabyte;
    }

    public string Name { get; }

    public IReadOnlyList<SizedPoint> Points { get; }

    /// <summary>Processor time without a message, in percent of a core; null where only one rate was measured.</summary>
    public double? IdlePercent => _hasSeveralRates ? _cpu?.Costs[Constant] : null;

    /// <summary>Processor time of one more message, in nanoseconds; with one rate all of it, divided by the messages.</summary>
    public double? NanosPerMessage => _cpu?.Costs[PerMessage] * NanosPerPercentSecond;

    /// <summary>Bytes of a message on the wire, framing included; null where they are not counted.</summary>
    public double? BytesPerMessage => _bytes?.Costs[0];

    /// <summary>Memory of an item in bytes; null where unknown.</summary>
    public double? BytesPerItem => MemoryOf(PerItem) ?? _countedItemMegabytes * BytesPerMegabyte;

    /// <summary>Memory of a user without subscriptions in bytes; null where unknown.</summary>
    public double? BytesPerUser => MemoryOf(PerUser);

    /// <summary>Memory of a subscription in bytes; null where unknown, or part of a user's.</summary>
    public double? BytesPerWatcher => MemoryOf(PerWatcher);

    /// <summary>The maximum rate measured.</summary>
    public double MaxRate => Points.Max(point => point.Rate);

    /// <summary>The maximum number of items measured.</summary>
    public double MaxItems => Points.Max(point => point.Items);

    /// <summary>The maximum relative error of the model at the measured loads: of processor time or memory.</summary>
    public double WorstError => Math.Max(_cpu?.WorstError ?? 0, _memory?.WorstError ?? 0);

    /// <summary>Predicts the processor time in percent of a core; null where unknown.</summary>
    public SizeValue? PredictCpu(double rate) => _cpu?.Predict(Rates(rate));

    /// <summary>Predicts the memory in MB; null where unknown, as for another number of items where only one was measured.</summary>
    public SizeValue? PredictMemory(double items, double users, double watchers)
    {
        if (_memory is null || (!_memory.Knows(PerItem) && !IsNear(items, MaxItems) && _countedItemMegabytes is null))
            return null;
        SizeValue known = _memory.Predict(Sizes(items, users, watchers));
        if (_memory.Knows(PerItem) || IsNear(items, MaxItems))
            return known;
        double more = (items - MaxItems) * _countedItemMegabytes!.Value;
        return known + new SizeValue(more, more, more);
    }

    private double? MemoryOf(int column) => _memory?.Knows(column) == true ? _memory.Costs[column] * BytesPerMegabyte : null;

    // One rate does not show the idle part: all of it counts as the messages'.
    private double[] Rates(double rate) => [_hasSeveralRates ? 1 : 0, rate];

    private static double[] Sizes(double items, double users, double watchers) => [1, items, users, watchers];

    private static bool IsNear(double a, double b) => Math.Abs(a - b) <= NearShare * Math.Max(a, b);
}
