using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PerfCommon;

namespace LatencyPerf.Links;

/// <summary>The ports of a domain: the publisher's, one for each cookie, two of groups, one of streams.</summary>
/// <param name="BasePort">The first port of domain 0.</param>
/// <param name="DomainId">0 to <see cref="MaxDomain"/>.</param>
internal readonly record struct TestPorts(int BasePort, int DomainId)
{
    public const int UsualBase = 21_000;
    public const int MaxDomain = 232;
    public const int MaxCookie = 32;

    private const int PortsPerDomain = 36;
    private const int MaxPort = 65_535;

    public int Publisher => BasePort + (PortsPerDomain * DomainId);
    public int DataGroup => Publisher + 33;
    public int ReplyGroup => Publisher + 34;
    public int Stream => Publisher + 35;

    /// <summary>The highest base port with which every domain has ports.</summary>
    public static int MaxBase => MaxPort - (PortsPerDomain * (MaxDomain + 1)) + 1;

    public int Subscriber(int cookie) => Publisher + cookie;

    /// <summary>Creates the error of a port that another process uses.</summary>
    public SetupException InUse(IPAddress address, int port, SocketException cause) => new(
        SetupProblem.NotStarted,
        cause.SocketErrorCode == SocketError.AddressAlreadyInUse
            ? string.Create(CultureInfo.InvariantCulture, $"domain {DomainId} is in use on {address} (port {port})")
            : string.Create(CultureInfo.InvariantCulture, $"{address} port {port} cannot be had: {cause.Message}"),
        cause);
}
