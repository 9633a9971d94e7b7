using PerfCommon.Transport;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public sealed class ConnectionOptionsTests
{
    [Fact]
    public void Rows_OptionOfBothRoles_IsSetInBoth()
    {
        ConnectionOptions options = Parse("-tcpDelay");
        Assert.True(options.ForClient("Sample").TcpDelay);
        Assert.True(options.ForServer("Sample").TcpDelay);
    }

    [Fact]
    public void ForClient_ProxyNotAskedFor_GoesWithout() => Assert.Null(Parse("-ph", "proxy", "-pp", "80").ForClient("Sample").Proxy);

    [Fact]
    public void ForClient_Proxy_HasItsPassword()
    {
        ConnectOptions connect = Parse("-proxy", "-ph", "proxy", "-pp", "80", "-plogin", "me", "-ppasswd", "sesame").ForClient("Sample");
        Assert.Equal(("proxy", 80, "me", "sesame"),
            (connect.Proxy!.Host, connect.Proxy.Port, connect.Proxy.UserName, connect.Proxy.Password));
    }

    [Fact]
    public void ForClient_PlainConnection_OffersNoWebSocket() => Assert.Null(Parse().ForClient("Sample").WebSocketProtocols);

    [Fact]
    public void ForServer_PlainConnection_ServesWebSocketToo() => Assert.Equal("rssl.rwf", Parse().ForServer("Sample").WebSocketProtocols);

    [Fact]
    public void ForServer_Names_TheProgram() => Assert.Equal("PerfTools|Sample", Parse().ForServer("Sample").ComponentVersion);

    private static ConnectionOptions Parse(params string[] args)
    {
        OptionTable<ConnectionOptions> table = new("Sample", new ConnectionOptions(), o => o.FindProblem());
        ConnectionRows<ConnectionOptions> rows = new(table, o => o, (_, v) => v);
        rows.TcpDelay();
        rows.Proxy();
        rows.WebSocket();
        return table.Parse(args).Options!;
    }
}
