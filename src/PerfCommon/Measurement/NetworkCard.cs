using System.Globalization;
using System.Net.NetworkInformation;

namespace PerfCommon.Measurement;

/// <summary>The network card that has an address of this machine.</summary>
/// <param name="Name">Name of the interface, such as eth0.</param>
/// <param name="Megabits">Speed of its link in Mbit/s; null for an interface without hardware, and where it is not known.</param>
internal sealed record NetworkCard(string Name, int? Megabits)
{
    /// <summary>Finds the interface with an address; null where there is none.</summary>
    public static NetworkCard? Find(string address)
    {
        try
        {
            NetworkInterface? found = NetworkInterface.GetAllNetworkInterfaces().FirstOrDefault(
                one => one.GetIPProperties().UnicastAddresses.Any(own => own.Address.ToString() == address));
            return found is null ? null : new(found.Name, ReadMegabits("/", found.Name));
        }
        catch (Exception cause) when (cause is NetworkInformationException or PlatformNotSupportedException)
        {
            return null;
        }
    }

    /// <summary>Reads the speed of an interface from the system's tree of devices.</summary>
    /// <remarks>An interface without a device (loopback, bridge, veth) reports a speed that means nothing; -1 is not known.</remarks>
    /// <param name="root">The root of the tree.</param>
    /// <param name="name">Name of the interface.</param>
    public static int? ReadMegabits(string root, string name)
    {
        string folder = Path.Combine(root, "sys/class/net", name);
        if (!Directory.Exists(Path.Combine(folder, "device")))
            return null;
        try
        {
            return int.TryParse(File.ReadAllText(Path.Combine(folder, "speed")).Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int megabits)
                && megabits > 0 ? megabits : null;
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
