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

    /// <summary>Without them small messages of a server wait for the acknowledgement of those before.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Post_AcceptedConnection_HasTheSettingsOfItsListener(bool delays)
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0, InterfaceName = "127.0.0.1", TcpDelay = delays });
        using ChannelPoller poller = new();
        using TcpClient client = new("127.0.0.1", listener.Port);
        Assert.True(listener.TryAccept(TimeSpan.FromSeconds(60), out AcceptedConnection? accepted));
        Socket socket = accepted.Link.Socket!;
        poller.Post(accepted);
        poller.Wait(0);
        Assert.Equal((!delays, false), (socket.NoDelay, socket.Blocking));
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
