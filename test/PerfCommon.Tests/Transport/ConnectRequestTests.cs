using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>The lengths inside a connect request.</summary>
public class ConnectRequestTests
{
    // up to the container
    private const string Header = "0000000000001700" + "1c" + "00" + "3c00000e01" + "02766d" + "093132372e302e302e31";

    [Theory]
    [InlineData("0605" + "70726f6265", "probe")]
    [InlineData("0100", "")] // C#, version 13
    [InlineData("00", "")]
    [InlineData("0605" + "70726f6265" + "0d0a", "probe")]
    public void TryParse_ComponentWithinItsContainer_IsRead(string container, string component) =>
        Assert.Equal(component, Parse(container)?.ComponentVersion);

    [Theory]
    [InlineData("0606" + "70726f6265")] // the text exceeds its container
    [InlineData("05" + "70726f6265")] // a container without the text's length, as it results from a header length that is one too many
    [InlineData("0705" + "70726f6265")] // the container exceeds the message
    [InlineData("0605" + "70726f6265" + "00")]
    public void TryParse_ComponentOutsideItsContainer_IsNull(string container) => Assert.Null(Parse(container));

    [Fact]
    public void TryParse_HeaderLongerThanItsParts_IsNull()
    {
        byte[] request = [.. Convert.FromHexString(Header), 0xff, .. Convert.FromHexString("06057" + "0726f6265")];
        request[8]++;
        Assert.Null(ConnectRequest.TryParse(request));
    }

    private static ConnectRequest? Parse(string container) => ConnectRequest.TryParse(Convert.FromHexString(Header + container));
}
