using System.Net.Sockets;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>A program that listens on the loopback interface alone, as <c>perftools run</c> starts it.</summary>
public class ListenAddressTests
{
    [Theory]
    [InlineData("ProvPerf")]
    [InlineData("HubPerf")]
    [InlineData("TransportPerf")]
    public void Server_OfTheLoopbackAddress_IsReachedByThatAddressAlone(string tool)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "other systems have one loopback address");
        using RunFolder folder = new();
        RunningTool server = folder.Start(tool, "-p 0 -if 127.0.0.1 -runTime 60");
        int port = server.Port;
        new TcpClient("127.0.0.1", port).Dispose();
        SocketException refused = Assert.Throws<SocketException>(() => new TcpClient("127.0.0.2", port));
        Assert.Equal(SocketError.ConnectionRefused, refused.SocketErrorCode);
    }
}
