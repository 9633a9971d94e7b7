using System.Buffers.Binary;
using System.Net;

namespace PerfCommon.Domains;

/// <summary>The posting user: two numbers that a provider returns with the reflected post. Only the poster interprets them.</summary>
/// <param name="Address">An IPv4 address, such as 0x7f000001.</param>
/// <param name="Id">A number of the program.</param>
public readonly record struct PostUser(uint Address, uint Id)
{
    /// <summary>The address 127.0.0.1.</summary>
    public const uint Loopback = 0x7F000001;

    /// <summary>Returns this process at this machine's address. This may be slow: call it once, at the start.</summary>
    public static PostUser OfThisProcess()
    {
        string address = LoginPosition.FindLocal().Split('/')[0];
        return new(BinaryPrimitives.ReadUInt32BigEndian(IPAddress.Parse(address).GetAddressBytes()), (uint)Environment.ProcessId);
    }
}
