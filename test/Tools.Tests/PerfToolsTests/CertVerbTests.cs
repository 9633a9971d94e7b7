using System.Security.Cryptography.X509Certificates;
using PerfTools;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public class CertVerbTests
{
    [Fact]
    public void Run_Cert_WritesFilesThatBelongTogetherAndSaysHowToUseThem()
    {
        using TestFolder folder = new();
        using StringWriter output = new(), error = new();
        int code = Program.Run(["cert", "--out", folder.PathOf("c"), "--names", "localhost,10.1.2.3", "--days", "3"], output, error);
        Assert.Equal((0, ""), (code, error.ToString()));
        Assert.Equal(
            $"server: -connType encrypted -cert {folder.PathOf("c/server.pem")} -keyfile {folder.PathOf("c/server.key")}\n"
            + $"client: -connType encrypted -castore {folder.PathOf("c/ca.pem")}\n"
            + $"for a server that demands certificates of its clients: -clientca {folder.PathOf("c/ca.pem")}\n"
            + $"and for its clients: -cert {folder.PathOf("c/client.pem")} -keyfile {folder.PathOf("c/client.key")}\n",
            output.ToString());

        using X509Certificate2 server = X509Certificate2.CreateFromPemFile(folder.PathOf("c/server.pem"), folder.PathOf("c/server.key"));
        Assert.True(server.HasPrivateKey && server.MatchesHostname("localhost") && server.MatchesHostname("10.1.2.3"));
        Assert.Equal(2048, server.GetRSAPublicKey()!.KeySize);
        Assert.InRange(server.NotAfter.ToUniversalTime(), DateTime.UtcNow.AddDays(2.9), DateTime.UtcNow.AddDays(3.1));
    }

    [Fact]
    public void Run_CertWithKeyEcdsa_HasKeysOfP256()
    {
        using TestFolder folder = new();
        using StringWriter output = new(), error = new();
        Assert.Equal(0, Program.Run(["cert", "--out", folder.PathOf("c"), "--key", "ecdsa"], output, error));
        Assert.All(["server", "client"], name =>
        {
            using X509Certificate2 certificate =
                X509Certificate2.CreateFromPemFile(folder.PathOf($"c/{name}.pem"), folder.PathOf($"c/{name}.key"));
            Assert.Equal(256, certificate.GetECDsaPrivateKey()!.KeySize);
        });
    }

    [Theory]
    [InlineData("ca.pem")]
    [InlineData("server.pem")]
    [InlineData("server.key")]
    [InlineData("client.pem")]
    [InlineData("client.key")]
    public void Run_CertWhereALinkIs_ReplacesItAndWritesNothingThroughIt(string file)
    {
        using TestFolder folder = new();
        string elsewhere = folder.PathOf("elsewhere"), path = folder.PathOf("c/" + file);
        File.WriteAllText(elsewhere, "of somebody else");
        Directory.CreateDirectory(folder.PathOf("c"));
        File.CreateSymbolicLink(path, elsewhere);
        using StringWriter output = new(), error = new();
        Assert.Equal(0, Program.Run(["cert", "--out", folder.PathOf("c"), "--key", "ecdsa"], output, error)); // its keys are found at once
        Assert.Equal("of somebody else", File.ReadAllText(elsewhere));
        Assert.Null(new FileInfo(path).LinkTarget);
        Assert.StartsWith("-----BEGIN ", File.ReadAllText(path), StringComparison.Ordinal);
        Assert.Equal(5, Directory.GetFiles(folder.PathOf("c")).Length); // no other file is left
        if (!OperatingSystem.IsWindows() && file.EndsWith(".key", StringComparison.Ordinal))
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
    }

    [Fact]
    public void Run_CertIntoAFolderThatCannotBe_ExitsWithSeven()
    {
        using TestFolder folder = new();
        File.WriteAllText(folder.PathOf("file"), "");
        using StringWriter output = new(), error = new();
        Assert.Equal(7, Program.Run(["cert", "--out", folder.PathOf("file")], output, error));
        Assert.StartsWith("perftools: cert: ", error.ToString(), StringComparison.Ordinal);
    }
}
