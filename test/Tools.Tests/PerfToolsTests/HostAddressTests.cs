using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class HostAddressTests
{
    [Theory]
    [InlineData("localhost:14002", "localhost", 14002)]
    [InlineData("10.1.2.3:1", "10.1.2.3", 1)]
    [InlineData("[::1]:65535", "::1", 65535)]
    public void TryParse_HostAndPort_IsReadAndWrittenBack(string text, string host, int port)
    {
        HostAddress? address = HostAddress.TryParse(text);
        Assert.Equal(new HostAddress(host, port), address);
        Assert.Equal(text, address!.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("localhost")]
    [InlineData("localhost:")]
    [InlineData(":14002")]
    [InlineData("localhost:0")]
    [InlineData("localhost:65536")]
    [InlineData("localhost:+1")]
    [InlineData("::1")]
    [InlineData("::1:14002")]
    [InlineData("a b:1")]
    public void TryParse_AnythingElse_IsNone(string text) => Assert.Null(HostAddress.TryParse(text));
}
