using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>Connections of a server and the files of the system: 128 are for the program, 64 for refusals, an eighth of them, 64 at most, for control.</summary>
[Trait("Category", "Fast")]
public sealed class ServerFilesTests
{
    private const int Usual = ConnectionOptions.UsualConnections;

    [Theory]
    [InlineData(1_000, 1_256L, 1_000, 0)]
    [InlineData(Usual, Usual + 256L, Usual, 0)]
    [InlineData(Usual, Usual + 255L, Usual - 1, 255)] // the usual number gives way
    [InlineData(Usual, 220L, 1, 1)]
    [InlineData(Usual, null, Usual, 0)]
    [InlineData(int.MaxValue, null, int.MaxValue, 0)]
    [InlineData(int.MaxValue, int.MaxValue + 256L, int.MaxValue, 0)]
    public void Fit_FilesOfTheSystem_LimitTheUsualNumber(int asked, long? maxFiles, int connections, int handshakes)
    {
        ConnectionOptions fitted = ServerFiles.Fit(Server(asked), Usual, maxFiles);
        Assert.Equal((connections, handshakes), (fitted.Server.MaxConnections, fitted.Server.MaxHandshakes));
    }

    [Theory]
    [InlineData(1_000, 1_255L, 1_256L)]
    [InlineData(Usual, 219L, Usual + 219L)] // not one would be left
    [InlineData(int.MaxValue, 1_000_000L, int.MaxValue + 256L)]
    [InlineData(int.MaxValue - 255, 1_000_000L, int.MaxValue + 1L)]
    public void Fit_MoreThanTheSystemAllows_DoesNotStart(int asked, long maxFiles, long needed)
    {
        SetupException refused = Assert.Throws<SetupException>(() => ServerFiles.Fit(Server(asked), Usual, maxFiles));
        Assert.Equal((SetupProblem.NotStarted,
            $"-maxConnections {asked} needs {needed} files, the system allows {maxFiles}: raise ulimit -n (LimitNOFILE of a service)"),
            (refused.Problem, refused.Message));
    }

    [Fact]
    public void Fit_OfAClient_ChangesNothing()
    {
        ConnectionOptions client = Server(int.MaxValue) with { IsServer = false };
        Assert.Same(client, ServerFiles.Fit(client, Usual, 1));
    }

    [Fact]
    public void Fit_HandshakesThatWereGiven_AreKept()
    {
        ConnectionOptions asked = Server(Usual);
        asked = asked with { Server = asked.Server with { MaxHandshakes = 7 } };
        Assert.Equal(7, ServerFiles.Fit(asked, Usual, 1_000).Server.MaxHandshakes);
    }

    private static ConnectionOptions Server(int connections)
    {
        ConnectionOptions options = new() { IsServer = true };
        return options with { Server = options.Server with { MaxConnections = connections } };
    }
}
