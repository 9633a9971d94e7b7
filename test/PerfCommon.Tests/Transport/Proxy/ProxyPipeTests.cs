using System.Text;
using PerfCommon.Transport;
using PerfCommon.Transport.Proxy;
using Xunit;

namespace PerfCommon.Tests.Transport.Proxy;

public class ProxyPipeTests
{
    private const string NeedsLogin = "HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"x\"\r\n";
    private const string Opened = "HTTP/1.0 200 Here you are\r\n\r\n";

    private static readonly ProxyOptions Options = new() { Host = "proxy", Port = 8080, UserName = "joe", Password = "hush hush" };

    [Theory]
    [InlineData("HTTP/1.1 403 Forbidden\r\n\r\n", "answered HTTP/1.1 403 Forbidden")]
    [InlineData("HTTP/1.1 407 No\r\nProxy-Authenticate: NTLM\r\n\r\n", "takes no Basic login; it offers NTLM")]
    [InlineData("HTTP/1.1 407 No\r\n\r\n", "takes no Basic login; it offers ")]
    [InlineData(NeedsLogin + "Content-Length: 0\r\n\r\n" + NeedsLogin + "Content-Length: 0\r\n\r\n", "refuses the login")]
    [InlineData("SSH-2.0-what\r\n\r\n", "answered SSH-2.0-what")]
    [InlineData("HTTP/1.1 200 ok\r\nno header\r\n\r\n", "malformed")]
    public void Open_ProxyThatRefuses_SaysWhyWithoutThePassword(string answers, string expected)
    {
        using ProxyPipe pipe = Create(answers, out _);
        Assert.Equal(PipeStatus.Failed, Open(pipe));
        Assert.Contains(expected, pipe.Failure);
        Assert.DoesNotContain("hush", pipe.Failure);
        Assert.DoesNotContain(Convert.ToBase64String("joe:hush hush"u8), pipe.Failure);
    }

    [Fact]
    public void Open_EndlessHead_EndsAtItsLimit()
    {
        using ProxyPipe pipe = Create("HTTP/1.1 200 ok\r\n" + new string('x', 17 * 1024), out _);
        Assert.Equal(PipeStatus.Failed, Open(pipe));
        Assert.Contains("longer than 16384 bytes", pipe.Failure);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5_000)]
    public void Open_LoginWithBody_SkipsTheBody(int bytes)
    {
        using ProxyPipe pipe = Create($"{NeedsLogin}Content-Length: {bytes}\r\n\r\n{new string('b', bytes)}{Opened}", out PiecesPipe pieces);
        Assert.Equal(PipeStatus.Ready, Open(pipe));
        Assert.Equal(3, Encoding.ASCII.GetString(pieces.Sent).Split("CONNECT ").Length); // two requests
        Assert.Contains("Proxy-Authorization: Basic " + Convert.ToBase64String("joe:hush hush"u8), Encoding.ASCII.GetString(pieces.Sent));
    }

    [Theory]
    [InlineData("Connection: close\r\nContent-Length: 0\r\n\r\n")]
    [InlineData("Proxy-Connection: Close\r\nContent-Length: 0\r\n\r\n")]
    [InlineData("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")]
    public void Open_LoginOnANewConnection_IsAskedFor(string headers)
    {
        ProxyLogin login = new();
        using ProxyPipe first = new(new PiecesPipe(Encoding.ASCII.GetBytes(NeedsLogin + headers), 0), Options, login, "host", 1);
        Assert.Equal(PipeStatus.Failed, Open(first));
        Assert.True(first.WantsReconnect);
        PiecesPipe pieces = new(Encoding.ASCII.GetBytes(Opened), 0);
        using ProxyPipe second = new(pieces, Options, login, "host", 1);
        Assert.Equal(PipeStatus.Ready, Open(second));
        Assert.False(second.WantsReconnect);
        Assert.Contains("Proxy-Authorization: Basic ", Encoding.ASCII.GetString(pieces.Sent));
    }

    // HTTP/1.0: a connection ends with its answer unless the answer says otherwise
    [Theory]
    [InlineData("", true)]
    [InlineData("Connection: keep-alive\r\n", false)]
    [InlineData("Proxy-Connection: Keep-Alive\r\n", false)]
    public void Open_LoginOfAnOldProxy_IsSentWhereTheConnectionStays(string header, bool wantsReconnect)
    {
        string answer = NeedsLogin.Replace("HTTP/1.1", "HTTP/1.0", StringComparison.Ordinal) + header + "Content-Length: 0\r\n\r\n";
        using ProxyPipe pipe = Create(answer + (wantsReconnect ? "" : Opened), out _);
        Assert.Equal(wantsReconnect ? PipeStatus.Failed : PipeStatus.Ready, Open(pipe));
        Assert.Equal(wantsReconnect, pipe.WantsReconnect);
    }

    [Fact]
    public void Open_AddressOfVersionSix_IsBracketed()
    {
        PiecesPipe pieces = new(Encoding.ASCII.GetBytes(Opened), 0);
        using ProxyPipe pipe = new(pieces, Options, new ProxyLogin(), "::1", 14002);
        Assert.Equal(PipeStatus.Ready, Open(pipe));
        Assert.StartsWith("CONNECT [::1]:14002 HTTP/1.1\r\n", Encoding.ASCII.GetString(pieces.Sent), StringComparison.Ordinal);
    }

    private static ProxyPipe Create(string answers, out PiecesPipe pieces)
    {
        pieces = new PiecesPipe(Encoding.ASCII.GetBytes(answers), 0);
        return new ProxyPipe(pieces, Options, new ProxyLogin(), "host", 14002);
    }

    private static PipeStatus Open(ProxyPipe pipe)
    {
        PipeStatus status = PipeStatus.Wait;
        for (int turn = 0; turn < 100 && status == PipeStatus.Wait; turn++)
            status = pipe.Open();
        return status;
    }
}
