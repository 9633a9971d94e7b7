using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Options set on the sockets of clients, polled and awaited alike.</summary>
public class SocketSettingsTests
{
    private static readonly ConnectOptions Options = TestChannels.Connect with
    {
        SendBufferBytes = 65_536,
        ReceiveBufferBytes = 131_072,
        SendTimeoutMillis = 1_500,
        ReceiveTimeoutMillis = 2_500,
        TcpDelay = true,
    };

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void CreateClientSocket_EverySetting_IsOnTheSocket(bool blocks)
    {
        using Socket plain = NetworkAddresses.CreateClientSocket(IPAddress.Loopback, TestChannels.Connect, blocks);
        using Socket socket = NetworkAddresses.CreateClientSocket(IPAddress.Loopback, Options, blocks);
        Assert.Equal((1_500, 2_500, false, blocks), (socket.SendTimeout, socket.ReceiveTimeout, socket.NoDelay, socket.Blocking));
        Assert.Equal((0, 0, true), (plain.SendTimeout, plain.ReceiveTimeout, plain.NoDelay));
        Assert.InRange(socket.SendBufferSize, 65_536, 2 * 65_536); // the system may double it
        Assert.InRange(socket.ReceiveBufferSize, 131_072, 2 * 131_072);
    }

    // An address of the other family could not be bound to the client's socket.
    [Theory]
    [InlineData(AddressFamily.InterNetwork)]
    [InlineData(AddressFamily.InterNetworkV6)]
    public void FindInterface_OfAFamily_ReturnsNoAddressOfTheOther(AddressFamily family)
    {
        string loopback = NetworkInterface.GetAllNetworkInterfaces().First(one => one.NetworkInterfaceType == NetworkInterfaceType.Loopback).Name;
        try
        {
            Assert.Equal(family, NetworkAddresses.FindInterface(loopback, family).AddressFamily);
        }
        catch (IOException problem)
        {
            Assert.Equal($"interface {loopback} has no address of the family needed", problem.Message);
        }
    }
}
