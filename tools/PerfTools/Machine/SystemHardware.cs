using System.Globalization;
using PerfCommon.Measurement;

namespace PerfTools.Machine;

/// <summary>Reads facts of the machine from the system's tree of devices; null where they do not exist, as on systems other than Linux.</summary>
/// <param name="root">The root of the tree.</param>
internal sealed class SystemHardware(string root)
{
    private const string PtpFolder = "sys/class/ptp";

    /// <summary>The hardware of this machine.</summary>
    public static SystemHardware OfThis { get; } = new("/");

    /// <summary>The maker of the machine.</summary>
    public string? Vendor => Read("sys/class/dmi/id/sys_vendor");

    /// <summary>The model of the machine; for a virtual machine the name that its host gives it.</summary>
    public string? Model => Read("sys/class/dmi/id/product_name") ?? Read("proc/device-tree/model");

    /// <summary>The number of NUMA nodes: memory with its local processors.</summary>
    public int? NumaNodes => Read("sys/devices/system/node/online") is { } list ? CountOf(list) : null;

    /// <summary>The clocks of network cards and of a virtual machine's host that PTP can use, as <c>ptp0 mlx5_ptp</c>; none where there are none.</summary>
    public IReadOnlyList<string> PtpClocks => !Directory.Exists(PathOf(PtpFolder)) ? []
        : [.. Directory.GetFileSystemEntries(PathOf(PtpFolder)).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal)
            .Select(name => $"{name} {Read($"{PtpFolder}/{name}/clock_name")}".TrimEnd())];

    /// <summary>Describes a network card: name, driver, speed of its link, maximum bytes of a packet (MTU).</summary>
    /// <remarks>
    /// A virtual interface (loopback, bridge, veth) has no device, and the speed that it reports means nothing; neither does -1.
    /// </remarks>
    /// <param name="name">Its name.</param>
    public string DescribeCard(string name)
    {
        string folder = $"sys/class/net/{name}/";
        if (!Directory.Exists(PathOf(folder + "device")))
            return $"{name}, software";
        string? driver = FindDriver(PathOf(folder + "device/driver"));
        string speed = NetworkCard.ReadMegabits(root, name) is { } megabits
            ? string.Create(CultureInfo.InvariantCulture, $"{megabits} Mbit/s") : "speed not known";
        string mtu = Read(folder + "mtu") is { } bytes ? $", MTU {bytes}" : "";
        return (driver is null ? $"{name}, {speed}" : $"{name}, {driver}, {speed}") + mtu;
    }

    /// <summary>Counts the numbers in a list such as <c>0-1,3</c>; null for another form.</summary>
    public static int? CountOf(string list)
    {
        int count = 0;
        foreach (string part in list.Split(','))
        {
            string[] ends = part.Split('-');
            if (ends.Length > 2 || !int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out int first)
                || !int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out int last) || last < first)
            {
                return null;
            }

            count += last - first + 1;
        }

        return count;
    }

    private static string? FindDriver(string link) =>
        Directory.Exists(link) ? Path.GetFileName(Directory.ResolveLinkTarget(link, returnFinalTarget: false)?.FullName ?? link) : null;

    private string PathOf(string path) => Path.Combine(root, path);

    private string? Read(string path)
    {
        try
        {
            return File.Exists(PathOf(path)) && File.ReadAllText(PathOf(path)).Trim(' ', '\n', '\0') is { Length: > 0 } text ? text : null;
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
