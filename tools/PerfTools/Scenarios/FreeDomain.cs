using System.Net;
using System.Net.Sockets;
using PerfCommon;

namespace PerfTools.Scenarios;

/// <summary>Draws a domain of LatencyPerf that no program on this machine uses.</summary>
internal static class FreeDomain
{
    private const int BasePort = 21_000;
    private const int PortsPerDomain = 36;
    private const int StreamPort = 35; // the others are of datagrams: the publisher's, those of subscribers and of groups
    private const int MaxTrials = 50;

    /// <summary>
    /// Draws a number from 1 on. All of its ports are tried; a program that takes one in between makes the run fail with its message.
    /// </summary>
    /// <exception cref="SetupException">No domain was free (exit code 4).</exception>
    public static int Draw()
    {
        for (int i = 0; i < MaxTrials; i++)
        {
            int domain = Random.Shared.Next(1, RoundtripOptions.MaxDomain + 1);
            if (IsFree(domain))
                return domain;
        }

        throw new SetupException(SetupProblem.NotStarted, "no domain is free: give --domain");
    }

    /// <summary>True when no program of this machine has a port of the domain, not even a subscriber that waits for its publisher.</summary>
    internal static bool IsFree(int domain)
    {
        int first = BasePort + (PortsPerDomain * domain);
        return Enumerable.Range(first, StreamPort).All(port => IsFree(SocketType.Dgram, ProtocolType.Udp, port))
            && IsFree(SocketType.Stream, ProtocolType.Tcp, first + StreamPort);
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
