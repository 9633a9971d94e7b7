using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

public sealed class TlsServerSettingsTests(TlsFiles files) : IClassFixture<TlsFiles>
{
    [Fact]
    public void Load_EncryptedKeyWithItsPassword_Works()
    {
        (string certificate, string key) = files.CreateServer("open sesame");
        Assert.NotNull(TlsServerSettings.Load(files.Write("enc.pem", certificate), files.Write("enc.key", key), "open sesame"));
    }

    [Theory]
    [InlineData("let me in", "the password is wrong, or it is not the key of ")]
    [InlineData(null, "the key has a password, and none was given")]
    public void Load_EncryptedKeyWithAnotherPassword_SaysSoWithoutIt(string? password, string why)
    {
        (string certificate, string key) = files.CreateServer("open sesame");
        string certificatePath = files.Write("enc2.pem", certificate);
        string keyPath = files.Write("enc2.key", key);
        SetupException problem = Assert.Throws<SetupException>(() => TlsServerSettings.Load(certificatePath, keyPath, password));
        Assert.Equal(SetupProblem.InputFile, problem.Problem);
        Assert.Contains($"{keyPath}: {why}", problem.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("let me in", problem.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Load_MissingFile_NamesIt()
    {
        SetupException problem = Assert.Throws<SetupException>(() => TlsServerSettings.Load("/nowhere/cert.pem", files.KeyPath));
        Assert.Contains("/nowhere/cert.pem", problem.Message);
    }

    [Fact]
    public void Load_UnknownCipher_NamesIt()
    {
        SetupException problem = Assert.Throws<SetupException>(
            () => TlsServerSettings.Load(files.CertificatePath, files.KeyPath, cipherSuites: "TLS_AES_128_GCM_SHA256:TLS_ROT13"));
        Assert.Contains("TLS_ROT13", problem.Message);
    }

    [Fact]
    public void LoadClient_FileWithoutCertificate_NamesIt()
    {
        string path = files.Write("none.pem", "nothing here");
        SetupException problem = Assert.Throws<SetupException>(() => TlsClientSettings.Load(path));
        Assert.Contains(path, problem.Message);
    }
}
