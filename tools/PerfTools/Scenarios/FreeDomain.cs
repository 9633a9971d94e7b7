using System.Net;
using System.Net.Sockets;
using PerfCommon;

namespace PerfTools.Scenarios;

/// <summary>Draws a domain of LatencyPerf that no program on this machine uses.</summary>
internal static class FreeDomain
{
    private const int BasePort = 21_000;
    private const int PortsPerDomain = 36;
    private const int StreamPort = 35;
    private const int MaxTrials = 50;

    /// <summary>
    /// Draws a number from 1 on. The publisher's ports are tried; a program that takes one in between makes the run fail with its message.
    /// </summary>
    /// <exception cref="SetupException">No domain was free (exit code 4).</exception>
    public static int Draw()
    {
        for (int i = 0; i < MaxTrials; i++)
        {
            int domain = Random.Shared.Next(1, RoundtripOptions.MaxDomain + 1);
            int first = BasePort + (PortsPerDomain * domain);
            if (IsFree(SocketType.Dgram, ProtocolType.Udp, first) && IsFree(SocketType.Stream, ProtocolType.Tcp, first + StreamPort))
                return domain;
        }

        throw new SetupException(SetupProblem.NotStarted, "no domain is free: give --domain");
    }

    private static bool IsFree(SocketType type, ProtocolType protocol, int port)
    {
        try
        {
            using Socket trial = new(AddressFamily.InterNetwork, type, protocol);
            trial.Bind(new IPEndPoint(IPAddress.Loopback, port));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
