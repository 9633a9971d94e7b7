using System.Globalization;

namespace PerfTools.Machine;

/// <summary>What the system's tree of devices says of the machine; null where it does not, as on systems other than Linux.</summary>
/// <param name="root">Where the tree begins.</param>
internal sealed class SystemHardware(string root)
{
    /// <summary>That of this machine.</summary>
    public static SystemHardware OfThis { get; } = new("/");

    /// <summary>Who made the machine.</summary>
    public string? Vendor => Read("sys/class/dmi/id/sys_vendor");

    /// <summary>Which machine it is; of a virtual one what its host calls it.</summary>
    public string? Model => Read("sys/class/dmi/id/product_name") ?? Read("proc/device-tree/model");

    /// <summary>Nodes of memory with processors of their own.</summary>
    public int? NumaNodes => Read("sys/devices/system/node/online") is { } list ? CountOf(list) : null;

    /// <summary>Says what a network card is: name, driver, speed of its link.</summary>
    /// <remarks>
    /// A card of software alone (loopback, bridge, veth) has no device behind it, and what it says of its speed means nothing; so does -1.
    /// </remarks>
    /// <param name="name">Its name.</param>
    public string DescribeCard(string name)
    {
        string folder = $"sys/class/net/{name}/";
        if (!Directory.Exists(PathOf(folder + "device")))
            return $"{name}, software";
        string? driver = FindDriver(PathOf(folder + "device/driver"));
        string speed = Read(folder + "speed") is { } text && int.TryParse(text, CultureInfo.InvariantCulture, out int megabits) && megabits > 0
            ? string.Create(CultureInfo.InvariantCulture, $"{megabits} Mbit/s") : "speed not known";
        return driver is null ? $"{name}, {speed}" : $"{name}, {driver}, {speed}";
    }

    /// <summary>Numbers in a list such as <c>0-1,3</c>; null for another form.</summary>
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
